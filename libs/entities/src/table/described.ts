import type { ColumnType } from 'typeorm';
import { getMetadataArgsStorage } from 'typeorm/globals.js';
import { columnOf } from './naming.js';

/** The class of an entity. */
export type EntityClass<E = object> = abstract new () => E;

export interface EntityColumn {
  readonly property: string;
  /** The column's name. */
  readonly name: string;
  readonly type: ColumnType | undefined;
  readonly isPrimary: boolean;
  /** False: only SQL reads it (`ReadyMadeJson`). */
  readonly isSelected: boolean;
}

/** A column that holds the key of a row of another table. */
export interface EntityReference {
  readonly column: string;
  readonly table: string;
  readonly key: string;
}

const known = new WeakMap<EntityClass, readonly EntityColumn[]>();

/** An entity and what it extends. */
function treeOf(entity: EntityClass): readonly unknown[] {
  const tree: unknown[] = [];
  for (let type: unknown = entity; typeof type === 'function'; type = Object.getPrototypeOf(type)) tree.push(type);
  return tree;
}

/** The columns of an entity, as its decorators describe them: that takes no data source, and no database. */
export function columnsOf(entity: EntityClass): readonly EntityColumn[] {
  let columns = known.get(entity);
  if (columns === undefined) {
    const tree = treeOf(entity);
    columns = getMetadataArgsStorage()
      .columns.filter(({ target }) => tree.includes(target))
      .map(
        ({ propertyName: property, options: { name = columnOf(property), type, primary = false, select = true } }) => ({
          property,
          name,
          type,
          isPrimary: primary,
          isSelected: select,
        }),
      );
    known.set(entity, columns);
  }
  return columns;
}

export const tableOf = (entity: EntityClass): string =>
  getMetadataArgsStorage().tables.find(({ target }) => target === entity)!.name!;

/** The tables whose rows refer to others. */
export const referringTables = (): { readonly table: string; readonly references: readonly EntityReference[] }[] =>
  getMetadataArgsStorage()
    .tables.map(({ name, target }) => ({ table: name!, references: referencesOf(target as EntityClass) }))
    .filter(({ references }) => references.length > 0);

function referencesOf(entity: EntityClass): EntityReference[] {
  const [tree, columns] = [treeOf(entity), columnsOf(entity)];
  return getMetadataArgsStorage()
    .foreignKeys.filter(({ target }) => tree.includes(target))
    .map(({ propertyName, type }) => {
      const referred = (type as () => EntityClass)();
      return {
        column: columns.find(({ property }) => property === propertyName)!.name,
        table: tableOf(referred),
        key: columnsOf(referred).find(({ isPrimary }) => isPrimary)!.name,
      };
    });
}
