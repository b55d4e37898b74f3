import { useDatabase } from '../support/database.js';
import { given as givenIn } from '../support/given.js';
import { workUntil } from '../support/worker.js';

const database = useDatabase();
const given = givenIn(database);

it('A worker deletes networks that no login came from for 31 days, and attempts that count no more', async () => {
  const userId = await given.user();
  await database.query(
    `INSERT INTO known_networks (user_id, network_hash, last_login_utc)
     SELECT $1, sha256(n::text::bytea), now() - n * interval '1 day' FROM generate_series(29, 1500) n`,
    [userId],
  );
  await database.query(
    `INSERT INTO login_attempts (subject, attempted_utc)
     SELECT 'address:192.0.2.1', now() - n * interval '10 minutes' FROM generate_series(1, 1500) n`,
  );
  const counts = async () => {
    const [row] = await database.query(
      `SELECT (SELECT count(*)::int FROM known_networks) AS networks, (SELECT count(*)::int FROM login_attempts) AS attempts`,
    );
    return row as { networks: number; attempts: number };
  };
  await workUntil(database, async () => {
    const { networks, attempts } = await counts();
    return networks <= 2 && attempts <= 5;
  });
  expect(await counts()).toEqual({ networks: 2, attempts: 5 });
});
