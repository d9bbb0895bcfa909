import { type Fragment, type Html, languageTag } from '@knowledge/runtime/html';
import { bounds } from '@knowledge/runtime/product';
import { areaField, textField, timeField } from '../forms/fields.js';
import { type FormFaults, fieldsOf } from '../forms/form-values.js';
import type { ArticleForm, FormField } from './article-form.js';

/** What the reason of a form is stored with. */
export interface ReasonWords {
  readonly label: string;
  readonly hint: string;
}

/** The fields of an article, each with its fault beside it. `afterTitle` is the name of a new one. */
export function articleFields(
  form: ArticleForm,
  faults: FormFaults<FormField>,
  { label, hint }: ReasonWords = ofTheArticle,
  afterTitle?: Fragment,
): Html {
  const field = fieldsOf(form, faults);
  const lang = languageTag(form.language || 'en');
  return (
    <>
      {textField({ ...field('title', 'Title'), lang, required: true, maxlength: bounds.articleTitle.max })}
      {afterTitle}
      {areaField({ ...field('summary', 'Summary', 'One or two sentences for lists and search.'), lang, rows: 2 })}
      <div class="two">
        {textField(field('tags', 'Tags', 'Separated by commas: a-z, 0-9 and hyphens.'))}
        {textField(field('author', 'Author', 'The name that readers see.'))}
        {textField(field('language', 'Language', 'Such as en or pl; empty means en.'))}
        {timeField(field('published_at', 'Published', 'Without a time: when it is published, or as it was.'))}
      </div>
      {areaField({ ...field('body', 'Text', 'Markdown.'), lang, rows: 24, required: true })}
      {textField(field('reason', label, hint))}
    </>
  );
}

const ofTheArticle = { label: 'Reason', hint: 'Why you change it; stored with the change, readers never see it.' };
