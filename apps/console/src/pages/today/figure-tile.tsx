import { Group, Paper, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { Status } from '../../components/status.tsx';
import { countText } from '../../money.ts';
import { type Figure, isOfPushes, PUSHES } from './figures.ts';

interface FigureTileProps {
  readonly siteId: number;
  readonly figure: Figure;
}

/** One figure: all of it is the link to its list. */
export function FigureTile({ siteId, figure }: FigureTileProps): ReactElement {
  const { name, title, words, tone, count, isMore, filters } = figure;
  const shown = `${countText(count)}${isMore ? '+' : ''}`;
  return (
    <ListLink siteId={siteId} name={name} filters={filters}>
      <Paper className="figure-tile" h="100%">
        <Group justify="space-between" align="flex-start" wrap="nowrap">
          <Text fw={650}>{title}</Text>
          <Status
            status={title}
            tone={count === 0 ? 'good' : tone}
            icon={count === 0 ? 'check' : tone === 'busy' ? 'repeat' : 'warning'}
            words={count === 0 ? 'None' : 'Look'}
          />
        </Group>
        <Text fz="1.75rem" fw={650} className="number" lh={1.3}>
          {shown}
        </Text>
        <Text c="dimmed" size="sm">
          {words}
        </Text>
      </Paper>
    </ListLink>
  );
}

interface ListLinkProps extends Pick<Figure, 'name' | 'filters'> {
  readonly siteId: number;
  readonly children: ReactNode;
}

function ListLink({ siteId, name, filters, children }: ListLinkProps): ReactElement {
  if (filters !== undefined) {
    return (
      <Link className="figure-link" to="/s/$siteId/scheduled-orders" params={{ siteId }} search={filters}>
        {children}
      </Link>
    );
  }
  if (name === 'Differences') {
    return (
      <Link className="figure-link" to="/s/$siteId/differences" params={{ siteId }}>
        {children}
      </Link>
    );
  }
  if (isOfPushes(name)) {
    return (
      <Link
        className="figure-link"
        to="/s/$siteId/shop"
        params={{ siteId }}
        search={{ tab: 'pushes', state: PUSHES[name] }}
      >
        {children}
      </Link>
    );
  }
  return (
    <Link className="figure-link" to="/s/$siteId/webhooks" params={{ siteId }} search={{ failing: true }}>
      {children}
    </Link>
  );
}
