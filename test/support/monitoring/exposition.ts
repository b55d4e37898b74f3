export type Labels = Readonly<Record<string, string>>;

/** What a process shows at /metrics: by name, the labels of each series. */
export interface Exposition {
  /** As `# TYPE` has them, also those without a series. */
  readonly types: ReadonlyMap<string, string>;
  readonly series: ReadonlyMap<string, readonly Labels[]>;
}

/** Reads Prometheus' text format. */
export function parseExposition(text: string): Exposition {
  const types = new Map<string, string>();
  const series = new Map<string, Labels[]>();
  for (const line of text.split('\n')) {
    const typed = /^# TYPE (\S+) (\S+)$/.exec(line);
    if (typed) types.set(typed[1]!, typed[2]!);
    const [, name, labels = ''] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+$/.exec(line) ?? [];
    if (name === undefined) continue;
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, value]) => [label, value]);
    series.set(name, [...(series.get(name) ?? []), Object.fromEntries(pairs) as Labels]);
  }
  return { types, series };
}
