import { setImmediate } from 'node:timers/promises';
import { useDatabase } from '../../../../../test/support/database.js';

describe('A transaction of statements that were sent together', () => {
  const database = useDatabase();

  it('fails with the error of the statement that failed, not with the refusal of those behind it', async () => {
    const failed = database.pool.transaction((tx) => {
      const divided = tx.execute('SELECT 1 / 0').catch(async (error: unknown) => {
        await setImmediate();
        throw error;
      });
      return Promise.all([divided, tx.execute('SELECT 1')]);
    });
    await expect(failed).rejects.toMatchObject({ code: '22012' });
  });
});
