import { type ErrorCode, errorCatalogue } from '@knowledge/runtime';
import type { Fragment } from '@knowledge/runtime/html';
import type { FieldLine } from '../../documents/operation-fields.js';
import { inlineMarkdown } from '../parts/own-markdown.js';

/** A line of the list, with a quotation after its meaning. */
interface QuotingLine extends FieldLine {
  readonly quotation?: string;
}

/** A list of fields or errors for people. */
export function fieldList(lines: readonly QuotingLine[]): Fragment {
  if (lines.length === 0) return undefined;
  return (
    <dl class="fields">
      {lines.map(({ name, facts, meaning, quotation }) => (
        <div>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>
            <span class="facts">{inlineMarkdown(`${facts.join(', ')}.`)}</span>
            {meaning && [' ', inlineMarkdown(meaning)]}
            {quotation && [' ', <q>{quotation}</q>]}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** An error as a line of such a list. */
export function errorLine(code: ErrorCode): FieldLine {
  const { http, retryable, description } = errorCatalogue[code];
  return { name: code, facts: [String(http), retryable ? 'retry later' : 'do not retry'], meaning: description };
}
