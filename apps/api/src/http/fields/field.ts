import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Exclude } from 'class-transformer';
import { ValidateBy, type ValidationArguments } from 'class-validator';

export type Dto = object;
export type DtoClass<T extends Dto = Dto> = new () => T;

/** The type of a field that the service sets: code never sees the value in a request. */
export type ReadOnly = never;

/** What request validation knows about a field, besides its documentation. */
export interface Field {
  readonly name: string;
  /** Accepted and ignored, so that the answer of a GET can be sent back in a PUT (decisions.md §2). */
  readonly readOnly: boolean;
  /** An array of numbers or texts; every other field that is not nested is a single one. */
  readonly isList?: boolean;
  /** The elements' class of a nested array. */
  readonly nested?: () => DtoClass;
  /** The most elements of a nested array; without it, as many as an order may have items. */
  readonly maxItems?: number;
  /** The class of a nested object. */
  readonly within?: () => DtoClass;
  /** A request without the nested array or object, or with null, is refused. */
  readonly isRequired?: boolean;
  /** Converts a checked value of the request to the value in code. */
  readonly parse?: ((value: never) => unknown) | undefined;
}

/**
 * What is wrong with a value that is not null, as a sentence; null when nothing is wrong. `sent` has the other fields,
 * unchecked.
 */
export type Check = (value: unknown, sent: Readonly<Record<string, unknown>>) => string | null;

/** The options of every field. */
export interface FieldOptions {
  readonly description?: string;
  readonly example?: unknown;
  /** False if null is not allowed. Default: true. */
  readonly nullable?: boolean;
  /** Null may be sent, but answers never have it: the service fills in the value. */
  readonly neverAnsweredNull?: boolean;
  /** A request without it, or with null, is refused. */
  readonly required?: boolean;
}

interface FieldKind extends FieldOptions {
  readonly schema: ApiPropertyOptions;
  readonly check: Check;
  readonly isList?: boolean;
  readonly parse?: (value: never) => unknown;
}

const FIELDS = Symbol('fields');
const REFUSED_FIELDS = Symbol('refused fields');

/** Marks, for the documentation, a field that is null in requests only. */
export const NULL_IS_SENT_ONLY = 'x-null-is-sent-only';

/** Marks, for the documentation, a field that answers have only where it says something. */
export const SOMETIMES_ANSWERED = 'x-sometimes-answered';

/** The fields of a resource on the wire, in document order; those of a base class come first. */
export function fieldsOf(type: DtoClass): ReadonlyMap<string, Field> {
  return (Reflect.getMetadata(FIELDS, type.prototype as object) as Map<string, Field> | undefined) ?? new Map();
}

/** A field that a client may expect but the resource does not have, and the message for it. */
export const RefusedField =
  (name: string, because: string): ClassDecorator =>
  ({ prototype }) => {
    const inherited = Reflect.getMetadata(REFUSED_FIELDS, prototype as object) as Map<string, string> | undefined;
    Reflect.defineMetadata(REFUSED_FIELDS, new Map(inherited).set(name, because), prototype as object);
  };

/** Why a resource does not accept such a field, as a sentence; undefined when there is no special message. */
export function refusalOf(type: DtoClass, name: string): string | undefined {
  return (Reflect.getMetadata(REFUSED_FIELDS, type.prototype as object) as Map<string, string> | undefined)?.get(name);
}

function register(field: Omit<Field, 'name'>): PropertyDecorator {
  return (target, name) => {
    const inherited = Reflect.getMetadata(FIELDS, target) as Map<string, Field> | undefined;
    const fields = new Map(inherited).set(String(name), { ...field, name: String(name) });
    Reflect.defineMetadata(FIELDS, fields, target);
  };
}

const sentWith = (given: ValidationArguments | undefined) => (given?.object ?? {}) as Readonly<Record<string, unknown>>;

/** A field that a request may send: one rule, and its documentation. */
export function field({ schema, check, parse, description, example, ...kind }: FieldKind): PropertyDecorator {
  const { required = false, nullable = !required, neverAnsweredNull = false, isList = false } = kind;
  const verdict: Check = (value, sent) => {
    if (required && (value === undefined || value === null)) return 'is required.';
    if (value === undefined) return null;
    if (value === null) return nullable ? null : 'must not be null: leave it out instead.';
    return check(value, sent);
  };
  return applyDecorators(
    register({ readOnly: false, isList, parse }),
    ValidateBy({
      name: 'field',
      validator: {
        validate: (value: unknown, given) => verdict(value, sentWith(given)) === null,
        defaultMessage: (given) => verdict(given?.value, sentWith(given)) ?? '',
      },
    }),
    ApiProperty({
      ...schema,
      required,
      ...(nullable ? { nullable, ...(neverAnsweredNull ? { [NULL_IS_SENT_ONLY]: true } : {}) } : {}),
      ...(description === undefined ? {} : { description }),
      ...(example === undefined ? {} : { example }),
    } as ApiPropertyOptions),
  );
}

/** A field that the service sets. */
export function readOnlyField(schema: ApiPropertyOptions): PropertyDecorator {
  return applyDecorators(
    register({ readOnly: true }),
    Exclude({ toClassOnly: true }),
    ApiProperty({ ...schema, readOnly: true, required: false } as ApiPropertyOptions),
  );
}

/** An array of resources inside another one; its elements are checked one by one (body.pipe.ts). */
export function NestedArray<T extends Dto>(
  element: () => DtoClass<T>,
  options: FieldOptions & Pick<Field, 'maxItems'> = {},
): PropertyDecorator {
  const { required, maxItems } = options;
  const most = maxItems === undefined ? {} : { maxItems };
  return applyDecorators(
    register({ readOnly: false, nested: element, isRequired: required === true, ...most }),
    ApiProperty({ type: () => element(), isArray: true, required: false, ...options }),
  );
}

/** A resource inside another one, by itself. */
export function NestedObject<T extends Dto>(type: () => DtoClass<T>, options: FieldOptions = {}): PropertyDecorator {
  return applyDecorators(
    register({ readOnly: false, within: type, isRequired: options.required === true }),
    ApiProperty({ type: () => type(), required: false, ...options }),
  );
}
