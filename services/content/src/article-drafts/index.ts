export { articleDraftHandlers } from './handlers/article-drafts.js';
export { draftNotices } from './handlers/draft-notices.js';
export { createArticleDraftStore, followArticles } from './store/article-drafts.js';
export { articleDraftCollections } from './store/documents.js';
export { articleDraftsSchema } from './store/schema.js';
export { scheduledDrafts } from './workers/scheduled-drafts.js';
