/** The one place that knows both spellings: the wire is PascalCase, code is camelCase. */
export type Camel<T> = { [Key in keyof T as Key extends string ? Uncapitalize<Key> : never]: T[Key] };

export const camelName = (wire: string) => wire.charAt(0).toLowerCase() + wire.slice(1);
