import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string; readonly runbook_url: string };
}

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

/** A query, and the texts that are filled in with its labels. */
export interface Query {
  readonly source: string;
  readonly expr: string;
  readonly texts: readonly string[];
}

export const ALERTS_FILE = 'deploy/prometheus/alerts.yml';
export const DASHBOARD_FILE = 'deploy/grafana/scheduled-orders.json';

export const readRules = () =>
  parse(readFileSync(ALERTS_FILE, 'utf8')) as { groups: { name: string; rules: readonly Alert[] }[] };

export const readAlerts = (): Alert[] => readRules().groups.flatMap(({ rules }) => rules);

export const readDashboard = () => JSON.parse(readFileSync(DASHBOARD_FILE, 'utf8')) as { panels: readonly Panel[] };

/** Every query of the dashboard and of the alerts. Grafana puts an interval in place of its variable. */
export function readQueries(): Query[] {
  const panels = readDashboard().panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({
      source: `panel ${title}`,
      expr: expr.replaceAll('$__rate_interval', '1m'),
      texts: [legendFormat.replaceAll(/\{\{(\w+)\}\}/g, '{{ $labels.$1 }}')],
    })),
  );
  const alerts = readAlerts().map(({ alert, expr, annotations }) => ({
    source: alert,
    expr,
    texts: Object.values(annotations),
  }));
  return [...panels, ...alerts];
}
