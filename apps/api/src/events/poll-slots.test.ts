import { PollSlots } from './poll-slots.js';

const tokenOf = (userId: number, tokenId = userId) => ({ keyAccess: null, tokenId, userId, customerId: null });
const keyOf = (userId: number, tokenId: number) => ({ keyAccess: 'Read' as const, tokenId, userId, customerId: null });

describe('PollSlots', () => {
  it('are counted per account for its tokens, and per API key', () => {
    const slots = new PollSlots({ maxEventPolls: 10, maxEventPollsPerAccount: 1 });
    const giveBack = slots.take(tokenOf(1));
    expect(() => slots.take(tokenOf(1, 7))).toThrow('1 requests of this account wait for events already');
    slots.take(keyOf(1, 8));
    expect(() => slots.take(keyOf(1, 8))).toThrow('1 requests of this API key wait for events already');
    slots.take(keyOf(1, 9));
    giveBack();
    slots.take(tokenOf(1, 7));
  });

  it('are bounded together', () => {
    const slots = new PollSlots({ maxEventPolls: 2, maxEventPollsPerAccount: 2 });
    slots.take(keyOf(1, 8));
    const giveBack = slots.take(keyOf(1, 9));
    expect(() => slots.take(tokenOf(2))).toThrow('2 requests wait for events already');
    giveBack();
    slots.take(tokenOf(2));
  });
});
