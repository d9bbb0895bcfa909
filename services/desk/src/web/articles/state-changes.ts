import { ArticleState } from '@knowledge/proto/knowledge/content/v1/content';
import type { EditorialClient } from '../../connection/editorial-client.js';

/** A change of an article's state that a page asks about before it happens. */
export interface StateChange {
  /** The last part of the page's path. */
  readonly page: string;
  readonly label: string;
  /** What it means for readers. */
  readonly warning: string;
  readonly from: readonly ArticleState[];
  readonly method: 'publishArticle' | 'archiveArticle' | 'returnArticleToDraft' | 'deleteArticle';
}

const { DRAFT, SCHEDULED, PUBLISHED, ARCHIVED } = ArticleState;

export const stateChanges: readonly StateChange[] = [
  {
    page: 'publish',
    label: 'Publish',
    from: [DRAFT, ARCHIVED],
    method: 'publishArticle',
    warning: 'Readers see it at once, or at its time of publication if that is in the future.',
  },
  {
    page: 'archive',
    label: 'Archive',
    from: [PUBLISHED],
    method: 'archiveArticle',
    warning: 'Readers lose it at once. Its text, its history and its draft stay, and it can be published again.',
  },
  {
    page: 'return',
    label: 'Return to draft',
    from: [SCHEDULED, PUBLISHED, ARCHIVED],
    method: 'returnArticleToDraft',
    warning: 'Readers do not see a draft. To change an article that they go on reading, use its next revision.',
  },
  {
    page: 'delete',
    label: 'Delete',
    from: [DRAFT],
    method: 'deleteArticle',
    warning: 'Its text, all its revisions and the draft of its next revision are lost. This cannot be taken back.',
  },
];

export function stateChangesOf(state: ArticleState): readonly StateChange[] {
  return stateChanges.filter(({ from }) => from.includes(state));
}

/** Makes the call of a change. */
export async function changeState(
  editorial: EditorialClient,
  { method }: StateChange,
  ...[request, call]: Parameters<EditorialClient['publishArticle']>
): Promise<void> {
  await editorial[method](request, call);
}
