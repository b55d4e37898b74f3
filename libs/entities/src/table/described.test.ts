import { useDatabase } from '../../../../test/support/database.js';
import { propertyOf } from '../../../platform/src/database/connection/driver.js';
import { columnsOf, type EntityClass, referringTables, tableOf } from './described.js';

describe('What the decorators say', () => {
  const database = useDatabase();

  it('is what TypeORM makes of it', () => {
    const { entityMetadatas } = database.dataSource;
    for (const { target, tableName, columns } of entityMetadatas) {
      const entity = target as EntityClass;
      expect([tableOf(entity), columnsOf(entity)]).toEqual([
        tableName,
        columns.map(({ propertyName, databaseName, type, isPrimary, isSelect }) => ({
          property: propertyName,
          name: databaseName,
          type,
          isPrimary,
          isSelected: isSelect,
        })),
      ]);
    }
    const referring = entityMetadatas.filter(({ foreignKeys }) => foreignKeys.length > 0);
    expect(referringTables()).toEqual(
      referring.map(({ tableName, foreignKeys }) => ({
        table: tableName,
        references: foreignKeys.map(({ columns, referencedEntityMetadata, referencedColumns }) => ({
          column: columns[0]!.databaseName,
          table: referencedEntityMetadata.tableName,
          key: referencedColumns[0]!.databaseName,
        })),
      })),
    );
    const columns = entityMetadatas.flatMap(({ target }) => columnsOf(target as EntityClass));
    expect(columns.filter(({ name, property }) => propertyOf(name) !== property)).toEqual([]);
  });
});
