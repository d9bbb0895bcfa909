import type { FieldLine } from '../../documents/operation-fields.js';
import type { Fragment } from '../parts/html.js';
import { inlineMarkdown } from '../parts/markdown.js';

/** A list of fields for people. */
export function fieldList(lines: readonly FieldLine[]): Fragment {
  if (lines.length === 0) return undefined;
  return (
    <dl class="fields">
      {lines.map(({ name, facts, meaning }) => (
        <div>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>
            <span class="facts">{inlineMarkdown(`${facts.join(', ')}.`)}</span>
            {meaning && [' ', inlineMarkdown(meaning)]}
          </dd>
        </div>
      ))}
    </dl>
  );
}
