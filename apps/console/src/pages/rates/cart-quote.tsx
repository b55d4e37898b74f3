import { Alert, List, Paper, Stack, Text, Title } from '@mantine/core';
import { queryOptions } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { api, ask, type Resource } from '../../api/client.ts';
import { Icon } from '../../components/icon.tsx';
import { Money } from '../../components/values.tsx';
import type { Quote } from '../../orders/queries.ts';
import { QuoteLines } from '../../orders/quote-lines.tsx';

/** What a cart would cost: nothing is stored, so that the request may be repeated at any time. */
export const quoteQuery = (siteId: number, question: Resource<'RatesQuestion'>) =>
  queryOptions({
    queryKey: ['rates', 'quote', siteId, question],
    queryFn: ({ signal }) =>
      ask(api.POST('/api/Site/{siteId}/Explain/Rates', { params: { path: { siteId } }, body: question, signal })),
    retry: false,
  });

interface CartQuoteProps {
  readonly title: string;
  /** Of its heading. */
  readonly level: 2 | 3;
  readonly quote: Quote;
  readonly currency: string;
  /** What it costs with what is stored, if this is of something else. */
  readonly now?: Quote | undefined;
}

const unnamed = () => null;

/** The answer: what is charged, and why. */
export function CartQuote({ title, level, quote, currency, now }: CartQuoteProps): ReactElement {
  return (
    <Paper component="section" aria-label={title}>
      <Stack gap="sm">
        <Title order={level}>{title}</Title>
        {now !== undefined && (
          <Text size="sm" role="status">
            {now.Total === quote.Total ? 'It costs the same as now: ' : 'Now it costs '}
            <Money minor={now.Total} currency={currency} />
            {now.Total !== quote.Total && (
              <>
                , then <Money minor={quote.Total} currency={currency} />
              </>
            )}
            .
          </Text>
        )}
        {quote.Problems.length > 0 && (
          <Alert color="yellow" icon={<Icon name="warning" />} title="What an order like this would fail with">
            <List size="sm">
              {quote.Problems.map(({ Code, Message }) => (
                <List.Item key={Code}>
                  {Message} ({Code})
                </List.Item>
              ))}
            </List>
          </Alert>
        )}
        <QuoteLines quote={quote} currency={currency} nameOf={unnamed} />
      </Stack>
    </Paper>
  );
}
