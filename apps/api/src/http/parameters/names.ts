/** The only place that knows both spellings: PascalCase in the API, camelCase in code. */
export type Camel<T> = { [Key in keyof T as Key extends string ? Uncapitalize<Key> : never]: CamelElements<T[Key]> };
type CamelElements<Value> = Value extends readonly (infer Element)[]
  ? (Element extends object ? Camel<Element> : Element)[]
  : Value extends Date
    ? Value
    : Value extends object
      ? Camel<Value>
      : Value;

export const camelName = (wire: string) => wire.charAt(0).toLowerCase() + wire.slice(1);
