/**
 * Simulated sites, each with a clock of its own. Their business time is the clock's: `occurred_utc` of what they write.
 */
export const CLOCKS = `
-- led_utc: when a worker led it last. Those are led first that have waited longest.
CREATE TABLE test_clocks (
  site_id bigint NOT NULL,
  now_utc timestamptz(3) NOT NULL,
  cycles bigint NOT NULL DEFAULT 0,
  created_utc timestamptz(3) NOT NULL DEFAULT now(),
  updated_utc timestamptz(3) NOT NULL DEFAULT now(),
  target_utc timestamptz(3),
  lease_until_utc timestamptz(3),
  led_utc timestamptz(3),
  state varchar(16) NOT NULL DEFAULT 'Ready',
  worker varchar(64),
  CONSTRAINT pk_test_clocks PRIMARY KEY (site_id),
  CONSTRAINT fk_test_clocks_site_id FOREIGN KEY (site_id) REFERENCES sites (id),
  CONSTRAINT ck_test_clocks_state CHECK (state IN ('Ready', 'Advancing', 'Deleting')),
  CONSTRAINT ck_test_clocks_target CHECK (state <> 'Advancing' OR target_utc IS NOT NULL)
);

-- Of tables whose rows are written one by one. The statements that write cycles do it themselves.
CREATE FUNCTION copy_simulated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.simulated := coalesce((SELECT s.simulated FROM sites s WHERE s.id = NEW.site_id), false);
  RETURN NEW;
END $$;
CREATE TRIGGER tr_scheduled_orders_simulated BEFORE INSERT ON scheduled_orders FOR EACH ROW EXECUTE FUNCTION copy_simulated();
CREATE TRIGGER tr_integration_waits_simulated BEFORE INSERT ON integration_waits FOR EACH ROW EXECUTE FUNCTION copy_simulated();

-- After the update, so that other updates do not lock the row twice.
CREATE FUNCTION keep_simulated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'A row of % stays simulated, or real, for ever.', TG_TABLE_NAME USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER tr_sites_keep_simulated AFTER UPDATE OF simulated ON sites
  FOR EACH ROW WHEN (OLD.simulated <> NEW.simulated) EXECUTE FUNCTION keep_simulated();
CREATE TRIGGER tr_scheduled_orders_keep_simulated AFTER UPDATE OF simulated ON scheduled_orders
  FOR EACH ROW WHEN (OLD.simulated <> NEW.simulated) EXECUTE FUNCTION keep_simulated();

-- Tells the workers of a simulated order that is due by its site's clock. The channel of libs/ledger.
CREATE FUNCTION notify_clock() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.next_occurrence_utc <= (SELECT k.now_utc FROM test_clocks k WHERE k.site_id = NEW.site_id) THEN
    PERFORM pg_notify('scheduled_orders_clocks', '');
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER tr_scheduled_orders_clock AFTER INSERT OR UPDATE OF next_occurrence_utc, status, deleted_utc ON scheduled_orders
  FOR EACH ROW WHEN (NEW.simulated AND NEW.status = 'Active' AND NEW.deleted_utc IS NULL) EXECUTE FUNCTION notify_clock();
`;
