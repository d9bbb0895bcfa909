import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';

/** The folder with the dashboard, the rules and the runbooks. */
export const folder = fileURLToPath(new URL('../../deploy/components/monitoring/', import.meta.url));

/** One recording or alerting rule. */
export interface Rule {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface RuleGroups {
  readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[];
}

/** A query of the dashboard. */
export interface Query {
  readonly panel: string;
  readonly expr: string;
}

export function readYaml(name: string): unknown {
  return load(readFileSync(`${folder}${name}`, 'utf8'));
}

export function readRules(): Rule[] {
  return (readYaml('rules.yaml') as RuleGroups).groups.flatMap(({ rules }) => rules);
}

/** Reads all queries of the dashboard. Grafana's variables are replaced by values. */
export function readQueries(): Query[] {
  const dashboard = JSON.parse(readFileSync(`${folder}dashboard.json`, 'utf8')) as {
    panels: { title: string; targets?: { expr: string }[] }[];
  };
  return dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({
      panel: title,
      expr: expr.replaceAll('$__rate_interval', '30s').replaceAll('$__range', '30s'),
    })),
  );
}

/** Finds the metric names in an expression. Names of histograms keep their suffix. */
export function metricsIn(expr: string): string[] {
  return [...expr.matchAll(/\b(?:knowledge|process|nodejs)_\w+(?=[{[)\s]|$)/g)].map(([name]) => name);
}
