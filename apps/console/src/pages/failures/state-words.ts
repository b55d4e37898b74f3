/** What the states of an occurrence that was not charged mean. */
export const STATE_WORDS: Readonly<Record<string, { readonly name: string; readonly then: string }>> = {
  Retrying: { name: 'Tried again', then: 'They have the date of their next try.' },
  Waiting: {
    name: 'Waiting',
    then: 'They go on by themselves when their payment integration works, or what holds them is settled.',
  },
  Unknown: { name: 'Outcome unknown', then: 'They are looked up at the gateway, and never charged again before that.' },
  Failed: { name: 'Given up', then: 'Somebody has to correct them: then process them.' },
};
