import type { ReactElement } from 'react';
import { Instant } from '../../components/values.tsx';
import { type FigureProps, Figures } from './figure.tsx';
import type { State } from './queries.ts';

/** A worker gives a sign of life every 10 to 20 seconds. */
const SILENT_MS = 60_000;

/** The processes and the database, which all accounts of the installation share. */
export function Installation({ state }: { readonly state: State }): ReactElement {
  return (
    <Figures
      title="Installation"
      about="Workers, database and versions: for whoever runs the service."
      figures={[workers(state), signOfLife(state), writes(state), deployment(state), versions(state)]}
    />
  );
}

const WITHOUT: Readonly<Record<string, string>> = {
  processor: 'nothing is charged',
  dispatcher: 'no webhook is sent',
  pushes: 'no order arrives in a shop',
};

function workers({ Workers: { Connected, MissingRoles } }: State): FigureProps {
  const missing = MissingRoles ?? [];
  const lacks = missing.map((role) => WITHOUT[role]).join(', ');
  return {
    name: 'Workers',
    value: Connected ?? 'Not known',
    state: missing.length > 0 ? 'bad' : 'good',
    means:
      Connected === null
        ? 'The API reaches the database through a pooler, which hides them. The last sign of life tells.'
        : 'Processes that charge and send, and are connected now.',
    help:
      missing.length > 0
        ? `None has the role ${missing.join(', ')} (WORKER_ROLES): ${lacks}. Start one that has.`
        : 'At 0: start a worker. Without one nothing is charged, and nothing is sent.',
  };
}

function signOfLife({ Workers: { SeenUtc }, AsOfUtc }: State): FigureProps {
  const isSilent = SeenUtc === null || Date.parse(AsOfUtc) - Date.parse(SeenUtc) > SILENT_MS;
  return {
    name: 'Last sign of life',
    value: SeenUtc === null ? 'Never' : <Instant at={SeenUtc} from={AsOfUtc} />,
    state: isSilent ? 'bad' : 'good',
    means: 'Of any worker that may charge: one gives it every 10 to 20 seconds.',
    help: 'Older than a minute: no worker works. Start one, or look in its log why it ended.',
  };
}

const writes = ({ Writes: { Accepted, Refusal } }: State): FigureProps => ({
  name: 'Changes can be stored',
  value: Accepted ? 'Yes' : 'No',
  state: Accepted ? 'good' : 'bad',
  means:
    'Whether the database takes writes. If not, you can read everything, but change nothing, and nothing is charged.',
  help: Refusal ?? 'At No: the reason stands here. Whoever runs the service must see to the database.',
});

const deployment = ({ Deployment: { MayCharge, Refusal } }: State): FigureProps => ({
  name: 'May charge',
  value: MayCharge ? 'Yes' : 'No',
  state: MayCharge ? 'good' : 'bad',
  means: 'Whether anything may be charged or sent from this database. A copy of it may not.',
  help: Refusal ?? 'At No: the reason, and what to do, stands here.',
});

const versions = ({ Version, Schema: schema }: State): FigureProps => ({
  name: 'Versions',
  value: Version,
  state: schema.Version === schema.Expected ? 'good' : 'attention',
  means: `The API. Tables of the database: ${schema.Version}; the API is made for ${schema.Expected}. Processes older than ${schema.Minimum} may not use them.`,
  help: 'Where the two numbers differ for longer than an update takes: finish the update of all processes.',
});
