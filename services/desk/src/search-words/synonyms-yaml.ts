import type { Synonym } from '@knowledge/proto/knowledge/content/v1/search';
import { dump } from 'js-yaml';

/** Writes groups as YAML that an import reads. */
export function synonymsYaml(groups: readonly Synonym[]): string {
  const entries = groups.map(({ id, words, from }) => ({ id, ...(from.length > 0 && { from }), words }));
  return dump(entries, { lineWidth: 140, flowLevel: 2 });
}
