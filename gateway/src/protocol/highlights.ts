import { Type } from 'typebox';
import { articleEntryExample, articleEntryFields, briefArticleFields } from './articles.js';
import { type Operation, publicRead } from './operation.js';
import { answer, entriesOf, FieldsQuery, ignoredFields, named, SiteQuery, SiteSchema, text } from './schemas.js';
import { exampleListing } from './service-words.js';

/** An entry of the highlights (gateway/PROTOCOL.md#articles). */
export const HighlightSchema = named(
  'Highlight',
  Type.Object({
    ...articleEntryFields,
    position: Type.Integer({ minimum: 1 }),
    editor_note: text('Why the editors chose it.'),
  }),
);

/** The fields of a highlight with `fields=brief` (gateway/PROTOCOL.md#brief-entries). */
export const briefHighlightFields = [...briefArticleFields, 'editor_note'] as const;

const BriefHighlightSchema = named('BriefHighlight', Type.Pick(HighlightSchema, [...briefHighlightFields]));

export const listCurated = {
  ...publicRead,
  id: 'listCurated',
  endpoint: 'read_curated',
  path: '/api/v1/curated',
  summary: "The editors' highlights",
  description: 'Articles that the editors chose, in their order, each with a note. Costs no quota.',
  query: Type.Object({ ...SiteQuery, ...FieldsQuery }),
  responses: {
    200: answer({
      api_version: text(),
      site: SiteSchema,
      entries: entriesOf(HighlightSchema, BriefHighlightSchema),
      ...ignoredFields,
    }),
  },
  example: {
    onlyOrg: true,
    parameters: { site: 'org' },
    responses: {
      200: {
        ...exampleListing,
        entries: [
          {
            ...articleEntryExample,
            position: 1,
            editor_note: 'Read it for the wave table and the stop rule: it shows what a pause in week six bought, …',
          },
        ],
      },
    },
  },
} as const satisfies Operation;
