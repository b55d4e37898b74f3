import { List, Text } from '@mantine/core';
import { queryOptions } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { api, ask, type Resource } from '../api/client.ts';
import { Status } from '../components/status.tsx';
import { Instant } from '../components/values.tsx';

/** How a charged Order arrives in the shop. */
export type Push = Resource<'Push'>;

export const PUSH_WORDS: Readonly<Record<Exclude<Push['State'], 'Off'>, string>> = {
  Waiting: 'Waits',
  Sending: 'Being pushed',
  Unknown: 'Outcome unknown',
  Pushed: 'In the shop',
  Differs: 'Differs',
  Failed: 'Not in the shop',
};

/** While it is one of these it changes by itself. */
const UNDER_WAY: readonly string[] = ['Waiting', 'Sending', 'Unknown'];
export const isUnderWay = ({ State }: Pick<Push, 'State'>): boolean => UNDER_WAY.includes(State);

/** It had arrived, and the shop has it no more. */
export const isGone = ({ State, EndedInShop: ended }: Pick<Push, 'State' | 'EndedInShop'>): boolean =>
  State === 'Pushed' && (ended === 'Trashed' || ended === 'Deleted');

const ENDED_WORDS: Readonly<Record<NonNullable<Push['EndedInShop']>, string>> = {
  Cancelled: 'cancelled there',
  Refunded: 'refunded there',
  Trashed: 'thrown away there',
  Deleted: 'deleted there',
};

const EVERY_MS = 5_000;

export const pushQuery = (path: { readonly scheduledOrderId: number; readonly cycle: number }) =>
  queryOptions({
    queryKey: ['push', path],
    queryFn: ({ signal }) =>
      ask(api.GET('/api/ScheduledOrders/{scheduledOrderId}/Cycles/{cycle}/Push', { params: { path }, signal })),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isUnderWay(data) ? EVERY_MS : false),
  });

/** How it stands, and when it goes on. */
export function PushStateOf({ push }: { readonly push: Push }): ReactElement | null {
  const { State, EndedInShop, NextAttemptUtc } = push;
  if (State === 'Off') return null;
  return (
    <>
      <Status status={State} words={PUSH_WORDS[State]} />
      {isUnderWay(push) && NextAttemptUtc !== null && (
        <Text size="xs" c="dimmed">
          next on <Instant at={NextAttemptUtc} />
        </Text>
      )}
      {EndedInShop !== null && (
        <Text size="xs" c="dimmed">
          {ENDED_WORDS[EndedInShop]}
        </Text>
      )}
    </>
  );
}

/** What the shop calls it. */
export const shopNumberOf = ({ ShopOrderNumber, ShopOrderId }: Push): string | null => ShopOrderNumber ?? ShopOrderId;

/** What came of it last, with the totals where they differ, and the lines that do. */
export function WhatCameOfIt({ push: { Message, LinesThatDiffer: lines } }: { readonly push: Push }): ReactElement {
  return (
    <>
      {Message !== null && <Text size="sm">{Message}</Text>}
      {lines.length > 0 && (
        <List size="sm">
          {lines.map(({ ProductExternalId: id, Ours, Theirs }) => (
            <List.Item key={id}>
              Product {id ?? 'without an id'} of the shop: {Ours} charged, {Theirs} in the shop
            </List.Item>
          ))}
        </List>
      )}
    </>
  );
}
