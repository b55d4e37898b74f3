import { columnOf } from '#libs/entities';
import { type View, wireName } from './view.js';

/**
 * An embedded resource, by the column that refers to it, even when it was deleted since (decisions.md §11). A table has
 * these properties of it: `Customer` and `email` give the column `CustomerEmail`.
 */
export const embedded = (name: string, view: () => View, column: string, properties: readonly string[] = []) => {
  const from = (alias: string) => `FROM ${view().table} embedded WHERE embedded.id = ${alias}.${column}`;
  return {
    name,
    sql: (alias: string) => `(SELECT ${view().json('embedded')} ${from(alias)})`,
    columns: properties.map((property) => ({
      name: name + wireName(property),
      sql: (alias: string) => `(SELECT embedded.${columnOf(property)} ${from(alias)})`,
    })),
  };
};

/** Records inside another one, in order of id. A table leaves them out. */
export const inside = (name: string, rows: View, where: (id: string) => string) => {
  const from = (id: string) => `FROM ${rows.table} i WHERE ${where(id)}`;
  return {
    name,
    rows,
    from,
    sql: (alias: string) =>
      `(SELECT coalesce(json_agg(${rows.json('i')} ORDER BY i.id), '[]'::json) ${from(`${alias}.id`)})`,
    columns: [],
  };
};
