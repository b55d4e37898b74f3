import { outboxColumns } from '#libs/events';
import { Statement } from '#libs/platform';
import { eachSite } from '#libs/records';

/** Whether one of these sites listens, and the highest number that may have been given. pk_sites. $1 reach. */
export const LISTENS = Statement.named(`SELECT EXISTS (
    SELECT 1 FROM ${eachSite('$1::bigint[]')} JOIN sites s ON s.id = site.id WHERE s.listens_since_utc IS NOT NULL) AS listens,
  (SELECT last_value FROM outbox_sequence_seq) AS last`);

/**
 * The next events of some sites, in order, and how far the feed was looked through: `up_to` is of the same moment as
 * the events, so nothing below it comes later. One row without an event where there is none. ix_outbox_site,
 * uq_outbox_sequence. $1 reach, $2 after, $3 types (null: all), $4 limit.
 */
export const READ_EVENTS = Statement.named(`SELECT p.up_to, ${outboxColumns('e')}
FROM (SELECT coalesce(max(x.sequence), 0) AS up_to FROM outbox x WHERE x.sequence IS NOT NULL) p
LEFT JOIN LATERAL (
  SELECT ${outboxColumns('o')}
  FROM ${eachSite('$1::bigint[]')}
  CROSS JOIN LATERAL (
    SELECT ${outboxColumns('x')} FROM outbox x
    WHERE x.site_id = site.id AND x.sequence > $2 AND ($3::text[] IS NULL OR x.type = ANY ($3))
    ORDER BY x.sequence
    LIMIT $4) o
  ORDER BY o.sequence
  LIMIT $4) e ON true
ORDER BY e.sequence`);

/**
 * The sites that have events beyond a number, with their accounts, and the highest number. uq_outbox_sequence,
 * pk_sites. $1 after.
 */
export const ARRIVED = Statement.named(
  `SELECT x.site_id, s.user_id, max(x.sequence) AS up_to FROM outbox x JOIN sites s ON s.id = x.site_id
    WHERE x.sequence > $1 GROUP BY x.site_id, s.user_id`,
);
