import type { GetGlossResponse } from '@knowledge/proto/knowledge/content/v1/search';
import { bounds } from '@knowledge/runtime/product';
import { buttonRow, linkButton } from '../forms/buttons.js';
import { csrfField } from '../forms/csrf-field.js';
import { areaField, textField } from '../forms/fields.js';
import { type FormFaults, fieldsOf } from '../forms/form-values.js';
import { isRefused, refusal } from '../forms/text-form.js';
import type { Shown } from '../layout/send-page.js';
import { fact, strange, timeOf } from '../layout/values.js';
import { glossPath } from './synonyms-page.js';

/** More than any field may have, so that nothing typed is lost before the service says so. */
export const mostOfGloss = { title: 10_000, summary: 10_000, reason: 20_000 };

export type GlossField = keyof typeof mostOfGloss;

/** The text that a gloss is of. */
export interface GlossedText {
  readonly site: string;
  /** The slug of an article, or the id of an object. */
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly language: string;
  /** Its page in the web desk. */
  readonly path: string;
}

export interface GlossView {
  readonly text: GlossedText;
  /** What is stored; undefined if the text has no gloss. */
  readonly stored: GetGlossResponse | undefined;
  readonly form: Readonly<Record<GlossField, string>>;
  readonly faults: FormFaults<GlossField>;
}

/** The English title and summary of a text in another language. */
export function glossPage({ text, stored, form, faults }: GlossView, csrf: string): Shown {
  const field = fieldsOf(form, faults);
  const main = (
    <>
      <p>
        <a href={text.path}>The text</a>
      </p>
      <h1>
        Gloss of <bdi>{text.title}</bdi>
      </h1>
      <dl class="facts">
        {fact('Language', text.language || 'unknown')}
        {fact('Summary', strange(text.summary))}
        {fact('Changed', timeOf(stored?.updatedAt))}
        {fact('By', strange(stored?.updatedBy))}
      </dl>
      {stored === undefined && <p>It has no gloss yet.</p>}
      {stored !== undefined && stored.textRevision > stored.writtenForRevision && (
        <p class="notice">
          The gloss is of revision {stored.writtenForRevision}, and the text has revision {stored.textRevision} now.
          Look whether it still fits, and save it again.
        </p>
      )}
      {refusal(faults)}
      <form class="edit" method="post" action={glossPath} data-unsent={isRefused(faults)}>
        {csrfField(csrf)}
        <input type="hidden" name="site" value={text.site} />
        <input type="hidden" name="text" value={text.name} />
        {textField({ ...field('title', 'English title'), maxlength: bounds.articleTitle.max })}
        {areaField({ ...field('summary', 'English summary'), rows: 3 })}
        {textField({ ...field('reason', 'Reason'), maxlength: bounds.reason.max })}
        {buttonRow(
          <button class="main">Save</button>,
          stored !== undefined &&
            linkButton(
              `${glossPath}/remove?${new URLSearchParams({ site: text.site, text: text.name })}`,
              'Remove the gloss',
            ),
          linkButton(text.path, 'Cancel'),
        )}
      </form>
    </>
  );
  return { title: `Gloss of ${text.title}`, main, status: isRefused(faults) ? 422 : 200 };
}
