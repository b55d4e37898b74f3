import { allowedChanges } from '#libs/ledger';

const allowed = (): string =>
  allowedChanges()
    .map(({ from, to }) => `'${from ?? ''}>${to}'`)
    .join(', ');

/** Connections of the tests themselves put rows into any state. */
const OURS = `current_setting('application_name') IN ('test', 'chaos')`;

/** Makes the database refuse every change of a cycle's state that the table of transitions does not have. */
export const REFUSE_OTHER_TRANSITIONS = `
CREATE FUNCTION refuse_transition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'A cycle may not go from % to %', CASE TG_OP WHEN 'UPDATE' THEN OLD.state ELSE 'nothing' END, NEW.state;
END $$;
CREATE TRIGGER refuse_transition_insert AFTER INSERT ON processing_cycles FOR EACH ROW
  WHEN ('>' || NEW.state NOT IN (${allowed()}) AND NOT ${OURS}) EXECUTE FUNCTION refuse_transition();
CREATE TRIGGER refuse_transition_update AFTER UPDATE ON processing_cycles FOR EACH ROW
  WHEN (OLD.state <> NEW.state AND OLD.state || '>' || NEW.state NOT IN (${allowed()}) AND NOT ${OURS})
  EXECUTE FUNCTION refuse_transition();
`;
