import { Paper, Table } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';

export interface Column<Row> {
  /** Also its key. */
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers and amounts stand at the right. */
  readonly isNumber?: boolean;
  /** The column that names its row to a screen reader; the first unless one says so. */
  readonly isName?: boolean;
  /** Left out on narrow screens: what is not needed to recognise a row. */
  readonly isDetail?: boolean;
}

interface DataTableProps<Row> {
  /** What the rows are, for screen readers: `Scheduled orders`. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  /** While the next answer is read, the rows of the last one stay, paler. */
  readonly isStale?: boolean;
}

/** A table that scrolls in itself when it is wider than the screen, also by keyboard. */
export function DataTable<Row>({ label, columns, rows, keyOf, isStale = false }: DataTableProps<Row>): ReactElement {
  const named = Math.max(
    0,
    columns.findIndex(({ isName }) => isName === true),
  );
  return (
    <Paper p={0} className="table-region" role="region" aria-label={label} tabIndex={0} opacity={isStale ? 0.6 : 1}>
      <Table highlightOnHover verticalSpacing="xs" horizontalSpacing="md" aria-busy={isStale}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column.title} scope="col" {...look(column)}>
                {column.title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={keyOf(row)}>
              {columns.map((column, index) => {
                const cell = column.cell(row);
                return index === named ? (
                  <Table.Th key={column.title} scope="row" fw={500} {...look(column)}>
                    {cell}
                  </Table.Th>
                ) : (
                  <Table.Td key={column.title} {...look(column)}>
                    {cell}
                  </Table.Td>
                );
              })}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

const look = <Row,>({ isNumber, isDetail }: Column<Row>) => ({
  ...(isNumber === true ? { ta: 'right' as const, className: 'number' } : {}),
  ...(isDetail === true ? { visibleFrom: 'sm' as const } : {}),
});
