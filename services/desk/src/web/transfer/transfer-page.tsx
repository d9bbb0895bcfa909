import type { Fragment, Html } from '@knowledge/runtime/html';
import { bounds } from '@knowledge/runtime/product';
import { articleStates } from '../../article/present-article.js';
import { countNotes } from '../../import/put-result.js';
import { count } from '../../print/text.js';
import { sites } from '../../words.js';
import { pathOf } from '../articles/article.js';
import {
  buttonRow,
  checkField,
  columnsOf,
  csrfField,
  formFault,
  linkButton,
  type Shown,
  selectField,
  siteChoices,
  stateMark,
  strange,
  tableOf,
  textField,
  titled,
} from '../page-parts.js';
import { uploadLimits } from './files.js';
import type { FileResult } from './import-each.js';

export const transferPath = '/articles/files';

/** The page on which article files come in and go out. Only editors import. */
export function transferPage(csrf: string, mayImport: boolean, fault?: string): Shown {
  const main = (
    <>
      <h1>Import and export</h1>
      {mayImport && importPart(csrf, fault)}
      <h2>Export</h2>
      <p>A ZIP archive with one file for each article. Unpack it to import them again: an import takes its files.</p>
      <form class="filters" method="get" action={`${transferPath}/articles.zip`}>
        {selectField({ name: 'site', id: 'export-site', label: 'Site', choices: [all, ...siteChoices] })}
        {selectField({ name: 'state', label: 'State', choices: [all, ...articleStates.words] })}
        <button>Export</button>
      </form>
    </>
  );
  return { title: 'Import and export', main, status: fault === undefined ? 200 : 422 };
}

function importPart(csrf: string, fault: string | undefined): Html {
  const { files, fileBytes, totalBytes } = uploadLimits;
  return (
    <>
      <h2>Import</h2>
      <p>
        Each file is Markdown with fields at its beginning, as an export has them:{' '}
        <code>title, slug, summary, tags, author, language, published_at, site, revision</code>. Files of Hugo, Jekyll,
        Zola, Obsidian, dev.to, Docusaurus, Ghost and WordPress are read too; what is not public there stays a draft. A
        file with a fault stops no other. At most {files} files of {fileBytes / 1000} kB, {totalBytes / 1024 / 1024} MB
        together.
      </p>
      {formFault(fault)}
      <form class="fields" method="post" action={transferPath} enctype="multipart/form-data">
        {csrfField(csrf)}
        {textField({
          name: 'files',
          label: 'Files',
          type: 'file',
          multiple: true,
          accept: '.md,.mdx,.markdown,text/markdown',
          required: true,
          ...{ 'data-most-files': files, 'data-most-bytes': totalBytes },
        })}
        {selectField({ name: 'site', label: 'Site', hint: 'Of files that do not name theirs.', choices: siteChoices })}
        {checkField({ name: 'publish', label: 'Publish each article; otherwise new ones are drafts' })}
        {checkField({
          name: 'schedule',
          label: 'Schedule articles whose date is in the future; otherwise they are drafts',
        })}
        {checkField({
          name: 'overwrite',
          label: 'Overwrite articles that changed since their export, or whose next revision is scheduled, too',
        })}
        {textField({ name: 'reason', label: 'Reason', maxlength: bounds.reason.max })}
        {buttonRow(
          <button name="act" value="check">
            Only check
          </button>,
          <button class="main" name="act" value="import">
            Import
          </button>,
        )}
      </form>
    </>
  );
}

const all = ['', 'all'] as const;

/** What became of each file of an import. */
export function resultPage(results: readonly FileResult[], isCheck: boolean): Shown {
  const title = isCheck ? 'Checked, nothing is stored' : 'Imported';
  const outcomes = countNotes(results.map(({ outcome }) => [isCheck ? (wouldBe[outcome] ?? outcome) : outcome]));
  const notes = countNotes(results.filter(({ outcome }) => outcome !== 'refused').map((each) => each.notes));
  const isUnfinished = results.some(({ outcome }) => outcome === 'unfinished');
  return titled(
    title,
    <>
      <p role="status">
        {count(results.length, 'file')}: {outcomes.map(([outcome, files]) => `${files} ${outcome}`).join(', ')}.
        {isUnfinished &&
          ' A part of the service failed meanwhile. Send the files again; those that are stored stay as they are.'}
      </p>
      {notes.length > 0 && (
        <ul>
          {notes.map(([note, files]) => (
            <li>{`${count(files, 'file')}: ${note}`}</li>
          ))}
        </ul>
      )}
      {tableOf('Files', results, columns(isCheck), 'No file was sent.')}
      {buttonRow(linkButton(transferPath, 'More files'), linkButton('/articles', 'All articles'))}
    </>,
  );
}

function columns(isCheck: boolean) {
  return columnsOf<FileResult>({
    File: ({ file }) => strange(file),
    Result: ({ outcome }) => stateMark(isCheck ? (wouldBe[outcome] ?? outcome) : outcome),
    Article: (result) => articleLink(result, isCheck),
    Note: ({ notes }) => strange(notes.join('; ')),
  });
}

const wouldBe: Readonly<Record<string, string>> = { created: 'new', updated: 'a change' };

function articleLink({ article, outcome }: FileResult, isCheck: boolean): Fragment {
  if (article === undefined) return undefined;
  const name = `${sites.fromWire(article.site)}/${article.slug}`;
  const exists = outcome === 'updated' || outcome === 'unchanged' || (outcome === 'created' && !isCheck);
  return exists ? <a href={pathOf(article)}>{name}</a> : name;
}
