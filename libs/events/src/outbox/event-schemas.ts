import { EVENT_TYPES, type OutwardType, ownFactsOf } from './event-types.js';
import { COMMON_FACTS, type CommonFact, OWN_FACTS, type OwnFact } from './facts.js';

/** JSON Schema (2020-12) of an object, as OpenAPI 3.1 has it. */
interface DataSchema {
  readonly type: 'object';
  readonly additionalProperties: false;
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, object>>;
}

const ALWAYS: readonly CommonFact[] = ['Sequence', 'SiteId', 'Simulated'];
const COMMON = Object.keys(COMMON_FACTS) as CommonFact[];
const FACTS = { ...COMMON_FACTS, ...OWN_FACTS };

const factsOf = (type: OutwardType): (CommonFact | OwnFact)[] => [...COMMON, ...ownFactsOf(type)];

const always = (type: OutwardType, name: CommonFact | OwnFact): boolean =>
  (ALWAYS as readonly string[]).includes(name) || EVENT_TYPES[type].has.includes(name);

/** What `Data` of an event of this type is. */
export function dataSchemaOf(type: OutwardType): DataSchema {
  const names = factsOf(type);
  const property = (name: CommonFact | OwnFact): object => {
    const schema = FACTS[name];
    return always(type, name) ? schema : { ...schema, type: [schema.type, 'null'] };
  };
  return {
    type: 'object',
    additionalProperties: false,
    required: names,
    properties: Object.fromEntries(names.map((name) => [name, property(name)])),
  };
}

/** `Data` of an example of this type. */
export function exampleDataOf(type: OutwardType): Record<string, unknown> {
  const { has, mayHave, nullInExample = [] } = EVENT_TYPES[type];
  const shown: readonly string[] = [...ALWAYS, ...has, ...mayHave].filter(
    (name) => !nullInExample.includes(name as OwnFact),
  );
  return Object.fromEntries(factsOf(type).map((name) => [name, shown.includes(name) ? FACTS[name].examples[0] : null]));
}
