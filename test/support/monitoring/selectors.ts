import { parser } from '@prometheus-io/lezer-promql';

export interface Matcher {
  readonly label: string;
  readonly operator: '=' | '!=' | '=~' | '!~';
  readonly value: string;
}

/** A metric that a query reads. */
export interface Selector {
  readonly metric: string;
  readonly matchers: readonly Matcher[];
}

export interface ParsedQuery {
  readonly selectors: readonly Selector[];
  /** The labels that it groups by. */
  readonly groups: readonly string[];
}

type Node = ReturnType<typeof parser.parse>['topNode'];

/** @throws Error where the query is not PromQL. */
export function parseQuery(expr: string): ParsedQuery {
  const text = (node: Node) => expr.slice(node.from, node.to);
  const selectors: Selector[] = [];
  const groups: string[] = [];
  parser.parse(expr).iterate({
    enter({ node }) {
      if (node.type.isError) throw new Error(`Not PromQL at ${node.from}: ${expr}`);
      if (node.name === 'VectorSelector') selectors.push(selectorOf(node, text));
      if (node.name === 'GroupingLabels') groups.push(...node.getChildren('LabelName').map(text));
    },
  });
  return { selectors, groups };
}

function selectorOf(node: Node, text: (node: Node) => string): Selector {
  const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
  return {
    metric: text(node.getChild('Identifier')!),
    matchers: matchers.map((matcher) => ({
      label: text(matcher.getChild('LabelName')!),
      operator: text(matcher.getChild('MatchOp')!) as Matcher['operator'],
      value: JSON.parse(text(matcher.getChild('StringLiteral')!)) as string,
    })),
  };
}
