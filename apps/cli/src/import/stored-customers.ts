import type { Transaction } from '#libs/platform';

/** The only one of a site's customers with an e-mail address. $1 site id. */
export const SOLE_BY_EMAIL = `(SELECT lower(email) AS email, min(id) AS id, min(external_id) AS external_id FROM customers
  WHERE site_id = $1 AND deleted_utc IS NULL AND email IS NOT NULL GROUP BY 1 HAVING count(*) = 1) AS sole`;

/** Finds the customers of `staged` by their ids in the shop. */
export async function matchById(tx: Transaction, siteId: number): Promise<void> {
  await tx.execute(
    `UPDATE staged SET customer_id = c.id FROM customers c
     WHERE c.site_id = $1 AND c.deleted_utc IS NULL AND c.external_id = staged.external_id`,
    [siteId],
  );
}

/** A row without an id in the shop, whose e-mail address several customers have. */
interface Ambiguous {
  readonly line: number;
  readonly email: string;
  /** Their ids, separated by commas. */
  readonly customers: string;
}

/** Takes the rows out of `staged` that may mean one of several customers. */
export const takeAmbiguous = (tx: Transaction, siteId: number): Promise<Ambiguous[]> =>
  tx.execute<Ambiguous>(
    `DELETE FROM staged USING (
       SELECT lower(email) AS email, string_agg(id::text, ', ' ORDER BY id) AS customers FROM customers
       WHERE site_id = $1 AND deleted_utc IS NULL AND email IS NOT NULL GROUP BY 1 HAVING count(*) > 1) AS several
     WHERE staged.customer_id IS NULL AND staged.external_id IS NULL AND lower(staged.email) = several.email
     RETURNING line, staged.email, customers`,
    [siteId],
  );
