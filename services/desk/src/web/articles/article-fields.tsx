import type { Attributes, Fragment, Html } from '@knowledge/runtime/html';
import { bounds } from '@knowledge/runtime/product';
import type { ArticleForm, FormFaults, FormField } from './article-form.js';

/** The fields of an article, each with its fault beside it. */
export function articleFields(form: ArticleForm, { of }: FormFaults): Html {
  const line = (name: FormField, label: string, hint: string, more: Attributes = {}): Html =>
    field(name, label, hint, of[name], (described) => (
      <input id={name} name={name} value={form[name]} autocomplete="off" {...more} {...described} />
    ));
  return (
    <>
      {line('title', 'Title', '', { required: true, maxlength: bounds.articleTitle.max })}
      {field('summary', 'Summary', 'One or two sentences for lists and search.', of.summary, (described) => (
        <textarea id="summary" name="summary" rows={2} {...described}>
          {lines(form.summary)}
        </textarea>
      ))}
      <div class="two">
        {line('tags', 'Tags', 'Separated by commas: a-z, 0-9 and hyphens.')}
        {line('author', 'Author', 'The name that readers see.')}
        {line('language', 'Language', 'Such as en or pl; empty means en.')}
        {line('published_at', 'Published', 'In UTC, such as 2026-06-01T09:00:00Z. Empty keeps it.')}
      </div>
      {field('body', 'Text', 'Markdown.', of.body, (described) => (
        <textarea id="body" name="body" rows={24} required {...described}>
          {lines(form.body)}
        </textarea>
      ))}
      {line('reason', 'Reason', 'Why you change it; stored with the change, readers never see it.')}
    </>
  );
}

/** A label with its field, a hint below it, and its fault. */
export function field(
  name: string,
  label: string,
  hint: string,
  fault: string | undefined,
  input: (described: Attributes) => Html,
): Html {
  const notes = [...(fault === undefined ? [] : [`${name}-fault`]), ...(hint === '' ? [] : [`${name}-hint`])];
  const described: Attributes & Readonly<Record<`aria-${string}`, string>> = {
    ...(notes.length > 0 && { 'aria-describedby': notes.join(' ') }),
    ...(fault !== undefined && { 'aria-invalid': 'true' }),
  };
  return (
    <div>
      <label for={name}>{label}</label>
      {fault !== undefined && (
        <p class="fault" id={`${name}-fault`}>
          {label} {fault}.
        </p>
      )}
      {input(described)}
      {hint !== '' && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

// A browser removes the first line break of a text area.
function lines(text: string): Fragment {
  return text.startsWith('\n') ? `\n${text}` : text;
}
