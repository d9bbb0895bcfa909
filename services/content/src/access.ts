import { ArticleDraftServiceService } from '@knowledge/proto/knowledge/content/v1/article_drafts';
import { ContentServiceService } from '@knowledge/proto/knowledge/content/v1/content';
import { EditorialServiceService, PublicationServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import { SearchServiceService, SearchWordsServiceService } from '@knowledge/proto/knowledge/content/v1/search';
import { SearchCountServiceService } from '@knowledge/proto/knowledge/content/v1/search_counts';
import { accessTable, protoService } from '@knowledge/runtime/grpc';

/** The methods that each caller may call under mutual TLS. The desk may call everything, so it is not listed. */
export const access = accessTable(
  protoService(ContentServiceService, {
    // `knowledge status` counts the published articles and objects, so every role may list them.
    listArticles: ['gateway', 'editor', 'moderator', 'support', 'analyst', 'operator', 'partner'],
    listObjects: ['gateway', 'editor', 'moderator', 'support', 'analyst', 'operator', 'partner'],
    getObject: ['gateway', 'contributions', 'editor', 'moderator', 'support', 'analyst', 'partner'],
    getArticles: ['gateway', 'contributions', 'editor', 'analyst', 'partner'],
    listHighlights: ['gateway', 'editor', 'analyst', 'partner'],
    watchChanges: ['gateway', 'analyst', 'partner'],
  }),
  protoService(SearchServiceService, {
    search: ['gateway', 'contributions', 'editor', 'moderator', 'support', 'analyst', 'partner'],
  }),
  protoService(EditorialServiceService, {
    putArticle: ['editor'],
    getArticleRecord: ['editor', 'analyst'],
    listArticleRecords: ['editor', 'analyst'],
    listArticleRevisions: ['editor', 'analyst'],
    getArticleRevision: ['editor', 'analyst'],
    restoreArticleRevision: ['editor'],
    publishArticle: ['editor'],
    archiveArticle: ['editor'],
    returnArticleToDraft: ['editor'],
    deleteArticle: ['editor'],
    setHighlights: ['editor'],
    putObject: ['editor'],
    withdrawObject: ['editor'],
    watchEditorial: ['editor', 'analyst'],
  }),
  protoService(ArticleDraftServiceService, {
    putArticleDraft: ['editor'],
    getArticleDraft: ['editor', 'analyst'],
    publishArticleDraft: ['editor'],
    unscheduleArticleDraft: ['editor'],
    discardArticleDraft: ['editor'],
  }),
  protoService(SearchWordsServiceService, {
    listSynonyms: ['editor'],
    putSynonym: ['editor'],
    putSynonyms: ['editor'],
    deleteSynonym: ['editor'],
    getGloss: ['editor'],
    putGloss: ['editor'],
  }),
  protoService(SearchCountServiceService, {
    countSearches: ['gateway'],
    listSearchGaps: ['editor', 'analyst'],
    countReads: ['gateway'],
    listMostRead: ['editor', 'analyst'],
  }),
  protoService(PublicationServiceService, {
    publishObject: ['contributions'],
    retractObject: ['contributions'],
  }),
);
