import type { Html } from '@knowledge/runtime/html';
import type { NextRevision } from '../../actions/article/read-draft.js';
import { type ArticleText, articleDifference } from '../../difference/article-difference.js';
import { sideBySide } from '../difference/side-by-side.js';

/** Says what became of the draft since an editor opened its revision `opened`; 0 if there was none. */
export function draftChange(opened: number, draft: NextRevision | undefined): string {
  if (draft === undefined) {
    return 'The draft that you opened was published or discarded meanwhile. If you save again, you begin a new one.';
  }
  const { revision, authors } = draft.notice;
  const now = `The draft has revision ${revision} now, last saved by ${authors.at(-1)};`;
  return opened === 0
    ? `${now} there was no draft when you opened this page.`
    : `${now} you opened the draft's revision ${opened}.`;
}

/** Shows what saving a text would change in the draft of a colleague. */
export function besideDraft(draft: NextRevision, typed: ArticleText): Html {
  const { revision, authors } = draft.notice;
  return (
    <>
      <h2>Changed meanwhile</h2>
      <p>Bring what you want to keep into your text, then save again: your text then stands in place of the draft.</p>
      {sideBySide(
        articleDifference(draft, typed),
        [`the draft's revision ${revision}, by `, <bdi>{authors.at(-1)}</bdi>],
        'your text',
      )}
    </>
  );
}
