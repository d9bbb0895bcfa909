import type { ArticleRecord } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { Fragment, Html } from '@knowledge/runtime/html';
import { bounds } from '@knowledge/runtime/product';
import { scheduleLoss } from '../../actions/article/schedule-loss.js';
import type { ArticleDifference } from '../../difference/article-difference.js';
import { sideBySide } from '../difference/side-by-side.js';
import { selectField, textField } from '../forms/fields.js';
import { type FormFaults, fieldsOf } from '../forms/form-values.js';
import { type Guards, isRefused, refusal, textForm } from '../forms/text-form.js';
import type { Shown } from '../layout/send-page.js';
import { siteChoices, strange } from '../layout/values.js';
import { articleFields, type ReasonWords } from './article-fields.js';
import type { ArticleForm, FormField } from './article-form.js';

/** The name of a new article as the form shows it. */
export interface Naming {
  readonly site: string;
  readonly slug: string;
  /** The name that follows the title, until an editor types another one. */
  readonly suggested: string;
}

/** What a form for the text of an article shows. */
export interface EditView {
  readonly title: string;
  /** What stands between the heading and the form. */
  readonly intro?: Fragment;
  readonly action: string;
  readonly form: ArticleForm;
  readonly faults: FormFaults<FormField>;
  /** The name of a new article; undefined for one that has its name. */
  readonly naming?: Naming;
  /** What the reason is stored with, if not with the article. */
  readonly reason?: ReasonWords;
  readonly hidden?: Readonly<Record<string, string>>;
  readonly guards?: Guards;
  readonly save: string;
  readonly preview?: Fragment;
  readonly back: string;
  readonly after?: Fragment;
}

/** The form for the text of an article. Its preview works without a script. */
export function editPage(view: EditView, csrf: string): Shown {
  const { title, intro, form, faults, naming, reason, preview, after } = view;
  const isUnsent = preview !== undefined || isRefused(faults);
  const fields = articleFields(form, faults, reason, naming && nameFields(naming, faults));
  const main = (
    <>
      <h1>{title}</h1>
      {intro}
      {refusal(faults)}
      {preview}
      {textForm({ ...view, isUnsent, fields }, csrf)}
      {after}
    </>
  );
  return { title, main, status: isRefused(faults) ? 422 : 200 };
}

/** Says above a change what it takes from a scheduled next revision; nothing if none is scheduled. */
export function lossNotice(record: ArticleRecord): Fragment {
  const loss = scheduleLoss(record);
  return loss && <p class="notice">{strange(loss)}</p>;
}

/** Shows what a colleague changed between two revisions, and what saving the form again means. */
export function meanwhile(difference: ArticleDifference, from: number, to: number): Html {
  return (
    <>
      <h2>Changed meanwhile</h2>
      <p>Bring these changes into your text, then save again: your text then stands in place of revision {to}.</p>
      {sideBySide(difference, `revision ${from}, as you opened it`, `revision ${to}, now`)}
    </>
  );
}

function nameFields(naming: Naming, faults: FormFaults<FormField>): Html {
  return (
    <div class="two">
      {selectField({ ...fieldsOf({ site: naming.site }, faults)('site', 'Site'), choices: siteChoices })}
      {slugField(naming, faults)}
    </div>
  );
}

/** The field of the name in the URL. A change of the title gets it anew from the server. */
export function slugField({ slug, suggested }: Omit<Naming, 'site'>, faults: FormFaults<FormField>): Html {
  const hint = 'Made from the title; you may change it. a-z, 0-9 and single hyphens. It cannot be changed later.';
  return (
    <div
      id="slug-field"
      hx-get="/articles/new/slug"
      hx-trigger="input changed delay:200ms from:#title"
      hx-include="#title, #slug-field"
      hx-swap="outerHTML"
    >
      <input type="hidden" name="suggested" value={suggested} />
      {textField({ ...fieldsOf({ slug }, faults)('slug', 'Name in the URL', hint), maxlength: bounds.slug.max })}
    </div>
  );
}
