import { setImmediate } from 'node:timers/promises';
import type { PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { type Fault, Rejected } from '#libs/records';
import { type Dto, type DtoClass, type Field, fieldsOf, refusalOf } from '../fields/index.js';
import { MOST_FAULTS } from '../problems/problem.js';
import { tooMany } from './item-limit.js';
import { type Camel, camelName } from './names.js';

const LONGEST_NAME = 60;

/**
 * A body for code: checked, in camelCase, without the fields that the service sets; decimals as text, times as dates.
 */
export type Input<T extends Dto> = Camel<T>;

const NONE: readonly string[] = [];

/** How many elements are checked before other requests get their turn: about 5 ms of work. */
const ELEMENTS_AT_ONCE = 20;

/** The limits of a body in this installation. */
export interface BodyBounds {
  /** Elements of an array of resources. */
  readonly maxItemsPerOrder: number;
}

/** A body as it was sent, and what it may be. */
export interface SentBody {
  readonly body: unknown;
  readonly bounds: BodyBounds;
}

/**
 * Checks a whole body and renames its fields. Lengths are checked first, and checking stops when there are more faults
 * than an answer lists. Other requests get their turn in between, so that no body delays them for long (decisions.md
 * §2).
 */
export class BodyPipe<T extends Dto> implements PipeTransform<SentBody, Promise<Input<T>>> {
  /**
   * @param ignored fields that the service sets in this request, although other requests may send them
   * (`ScheduledOrderItems.Id`).
   */
  constructor(
    private readonly type: DtoClass<T>,
    private readonly ignored = NONE,
  ) {}

  /** @throws Rejected with the faults, each under its field's path (`ScheduledOrderItems[0].Quantity`). */
  async transform({ body, bounds }: SentBody): Promise<Input<T>> {
    if (!isObject(body)) throw new Rejected([{ field: '', message: 'The body must be a JSON object.' }]);
    assertLengths(this.type, body, bounds);
    const faults: Fault[] = [];
    const values = await readObject(this.type, body, { path: '', ignored: this.ignored, listed: new Set() }, faults);
    if (faults.length > 0) throw new Rejected(faults);
    return values as Input<T>;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @throws Rejected before any element is checked. */
function assertLengths(type: DtoClass, body: Record<string, unknown>, { maxItemsPerOrder }: BodyBounds): void {
  for (const [name, { nested, maxItems }] of fieldsOf(type)) {
    const value = body[name];
    if (nested === undefined || !Array.isArray(value) || value.length <= (maxItems ?? maxItemsPerOrder)) continue;
    const has = `has ${value.length} elements`;
    const message =
      maxItems === undefined ? tooMany(has, maxItemsPerOrder) : `${has}; at most ${maxItems} are allowed. Send fewer.`;
    throw new Rejected([{ field: name, message }]);
  }
}

/** A place in a body, and the fields that are ignored there. */
interface Place {
  readonly path: string;
  readonly ignored: readonly string[];
  /** Resources whose fields a fault has listed already: the list is long, and once is enough. */
  readonly listed: Set<DtoClass>;
}

/** Checks one resource of a body. Its result is complete only if there are no faults. */
async function readObject(
  type: DtoClass,
  body: Record<string, unknown>,
  place: Place,
  faults: Fault[],
): Promise<Record<string, unknown>> {
  const known = knownPart(type, body, place, faults);
  const dto = plainToInstance(type, known.flat);
  for (const { property, constraints } of validateSync(dto)) {
    for (const message of Object.values(constraints ?? {})) faults.push({ field: place.path + property, message });
  }
  const values = faults.length === 0 ? renamed(type, dto) : {};
  for (const [name, { elements, type: elementType }] of known.arrays) {
    const within = { ...place, path: place.path + name, ignored: ignoredWithin(name, place.ignored) };
    values[camelName(name)] = await readElements(elementType, elements, within, faults);
  }
  for (const [name, { object, type: objectType }] of known.objects) {
    const within = { ...place, path: `${place.path}${name}.`, ignored: ignoredWithin(name, place.ignored) };
    values[camelName(name)] = await readObject(objectType, object, within, faults);
  }
  return values;
}

async function readElements(
  type: DtoClass,
  elements: readonly unknown[],
  { path, ...place }: Place,
  faults: Fault[],
): Promise<object[]> {
  const read: object[] = [];
  for (const [index, element] of elements.entries()) {
    if (faults.length > MOST_FAULTS) break;
    if (index > 0 && index % ELEMENTS_AT_ONCE === 0) await setImmediate();
    const within = { ...place, path: `${path}[${index}].` };
    if (isObject(element)) read.push(await readObject(type, element, within, faults));
    else faults.push({ field: `${path}[${index}]`, message: 'must be an object.' });
  }
  return read;
}

interface Known {
  readonly flat: Record<string, unknown>;
  readonly arrays: Map<string, { readonly type: DtoClass; readonly elements: readonly unknown[] }>;
  readonly objects: Map<string, { readonly type: DtoClass; readonly object: Record<string, unknown> }>;
}

/**
 * Takes only the fields of the resource, so that nothing else (`constructor`, very deep nesting) gets further. A
 * misspelt field must not be ignored (decisions.md §2).
 */
function knownPart(type: DtoClass, body: Record<string, unknown>, place: Place, faults: Fault[]): Known {
  const { path, ignored } = place;
  const fields = fieldsOf(type);
  const known: Known = { flat: {}, arrays: new Map(), objects: new Map() };
  // Only the names: making pairs of 60,000 of them would take three times as long.
  for (const name of Object.keys(body)) {
    if (faults.length > MOST_FAULTS) break;
    const value = body[name];
    const field = fields.get(name);
    if (field === undefined) faults.push(unknownField(type, place, name));
    else if (field.readOnly || ignored.includes(name)) continue;
    else if (!takes(known, field, value)) faults.push({ field: path + name, message: formOf(field) });
  }
  for (const [name, { isRequired }] of fields)
    if (isRequired === true && body[name] == null) faults.push({ field: path + name, message: 'is required.' });
  return known;
}

/** Notes a value under its kind. @returns false for a nested field that has another form. */
function takes({ flat: values, arrays, objects }: Known, { name, nested, within, isList }: Field, value: unknown) {
  if (nested === undefined && within === undefined) values[name] = flat(value, isList === true);
  else if (nested !== undefined && Array.isArray(value)) arrays.set(name, { type: nested(), elements: value });
  else if (within !== undefined && isObject(value)) objects.set(name, { type: within(), object: value });
  else return value === null;
  return true;
}

const formOf = ({ within }: Field) => (within === undefined ? 'must be an array, or null.' : 'must be an object.');

/**
 * Only nested fields may be objects, so an object is refused without looking into it. A list is looked into, its
 * elements are not.
 */
function flat(value: unknown, isList = false): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) return {};
  return isList ? value.map((element) => flat(element)) : [];
}

const ignoredWithin = (name: string, ignored: readonly string[]) =>
  ignored.filter((field) => field.startsWith(`${name}.`)).map((field) => field.slice(name.length + 1));

function unknownField(type: DtoClass, { path, listed }: Place, name: string): Fault {
  const field = path + name.slice(0, LONGEST_NAME);
  const refusal = refusalOf(type, name);
  if (refusal !== undefined) return { field, message: refusal };
  const known = [...fieldsOf(type).keys()];
  const meant = known.find((one) => one.toLowerCase() === name.toLowerCase());
  if (meant !== undefined) return { field, message: `is not a field of this resource; did you mean ${meant}?` };
  if (listed.has(type)) return { field, message: 'is not a field of this resource.' };
  listed.add(type);
  return { field, message: `is not a field of this resource; its fields are ${known.join(', ')}.` };
}

function renamed(type: DtoClass, dto: object): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, field] of fieldsOf(type)) {
    const value = (dto as Record<string, unknown>)[name];
    if (value === undefined) continue;
    values[camelName(name)] = value === null ? null : (field.parse?.(value as never) ?? value);
  }
  return values;
}
