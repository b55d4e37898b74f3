import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { type Fault, Rejected } from '#libs/records';
import { fieldsOf, type Dto, type DtoClass } from './fields/index.js';
import { camelName, type Camel } from './names.js';

const LONGEST_NAME = 60;

/** A body as code sees it: checked, in camelCase, without the fields that the service sets; decimals as text, times as dates. */
export type Sent<T extends Dto> = Camel<T>;

const NONE: readonly string[] = [];

/**
 * Checks a body as a whole and renames it once.
 * @param ignored fields that the service sets here, though other requests send them (`ScheduledOrderItems.Id`).
 * @throws Rejected with all faults at once, each under its field's path (`ScheduledOrderItems[0].Quantity`).
 */
export function readBody<T extends Dto>(type: DtoClass<T>, body: unknown, ignored = NONE): Sent<T> {
  if (!isObject(body)) throw new Rejected([{ field: '', message: 'The body must be a JSON object.' }]);
  const faults: Fault[] = [];
  const known = knownPart(type, body, { path: '', ignored }, faults);
  const dto = plainToInstance(type, known);
  for (const error of validateSync(dto)) collect(error, '', faults);
  if (faults.length > 0) throw new Rejected(faults);
  return renamed(type, dto) as Sent<T>;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Where in a body, and which fields are ignored there. */
interface Place {
  readonly path: string;
  readonly ignored: readonly string[];
}

/**
 * The fields that the resource has, so that nothing else (`constructor`, a thousand brackets deep) gets any further.
 * A misspelt field must not pass silently (decisions.md §2).
 */
function knownPart(type: DtoClass, body: Record<string, unknown>, { path, ignored }: Place, faults: Fault[]): object {
  const fields = fieldsOf(type);
  const known: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    const field = fields.get(name);
    if (field === undefined) faults.push(unknownField(path, name, [...fields.keys()]));
    else if (field.readOnly || ignored.includes(name)) continue;
    else if (field.nested === undefined) known[name] = flat(value);
    else if (Array.isArray(value))
      known[name] = elements(field.nested(), value, { path: path + name, ignored: within(name, ignored) }, faults);
    else if (value !== null) faults.push({ field: path + name, message: 'must be an array, or null.' });
  }
  return known;
}

/** No field that is not nested takes an object: which one it is, however deep, is nothing to look at. */
function flat(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? [] : {};
}

const within = (name: string, ignored: readonly string[]) =>
  ignored.filter((field) => field.startsWith(`${name}.`)).map((field) => field.slice(name.length + 1));

function elements(type: DtoClass, values: readonly unknown[], { path, ignored }: Place, faults: Fault[]): object[] {
  return values.map((value, index) => {
    if (isObject(value)) return knownPart(type, value, { path: `${path}[${index}].`, ignored }, faults);
    faults.push({ field: `${path}[${index}]`, message: 'must be an object.' });
    return {}; // in its place, so that the faults of those behind it keep their index
  });
}

function unknownField(path: string, name: string, known: readonly string[]): Fault {
  const meant = known.find((field) => field.toLowerCase() === name.toLowerCase());
  const remedy = meant === undefined ? `its fields are ${known.join(', ')}.` : `did you mean ${meant}?`;
  return { field: path + name.slice(0, LONGEST_NAME), message: `is no field of this resource; ${remedy}` };
}

function collect(error: ValidationError, path: string, faults: Fault[]): void {
  const isElement = /^\d+$/.test(error.property);
  const here = isElement ? `${path.slice(0, -1)}[${error.property}]` : path + error.property;
  for (const message of Object.values(error.constraints ?? {})) faults.push({ field: here, message });
  for (const child of error.children ?? []) collect(child, `${here}.`, faults);
}

function renamed(type: DtoClass, dto: object): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, field] of fieldsOf(type)) {
    const value = (dto as Record<string, unknown>)[name];
    if (value === undefined) continue;
    values[camelName(name)] =
      value === null
        ? null
        : field.nested !== undefined
          ? (value as object[]).map((element) => renamed(field.nested!(), element))
          : (field.parse?.(value as never) ?? value);
  }
  return values;
}
