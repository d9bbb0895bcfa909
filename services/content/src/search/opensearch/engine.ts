import { randomUUID } from 'node:crypto';
import { createCompounds } from '../analysis/compounds.js';
import { primaryLanguage } from '../analysis/stem.js';
import { type Candidate, readInOrder, type SearchEngine } from '../engine.js';
import { maxValues, type SearchFilter } from '../filter.js';
import { beginningsOf, closestTerms, spelledForms } from '../query/spelling.js';
import { termPlaces } from '../rules/word-places.js';
import { type Cluster, type ClusterOptions, type ClusterResponse, connectCluster, outage } from './cluster.js';
import { documentOf, indexDefinition, indexForm, scoringQuery } from './document.js';

const writing = { requestTimeout: 30_000 };
const mayMiss = { ...writing, ignore: [404] };
/** A replica that has not written for this long fills the index no more. */
const fillerLimitMs = 10_000;

/**
 * Keeps the index in an OpenSearch cluster. All replicas of content write every change to it, with the position of the log as its
 * version.
 */
export function openSearchEngine(cluster: Cluster, name: string): SearchEngine {
  const index = `${name}-${indexForm}`;
  // A write to an alias that is gone fails, where one to an index would make it.
  const alias = `${index}-open`;
  const querystring = { require_alias: true };
  const self = randomUUID();
  const languages = new Set<string>();
  const compounds = createCompounds();
  /** What the cluster calls this index. One that was made again has another. */
  let uuid: string | undefined;
  let scale = 1;

  const get = (path: string, signal: AbortSignal) => cluster({ method: 'GET', path }, signal, mayMiss);
  const post = (action: string, body: object, signal: AbortSignal) =>
    cluster({ method: 'POST', path: `/${index}/_${action}`, body }, signal);

  const readUuid = async (signal: AbortSignal) => {
    const found: unknown = await get(`/${index}/_settings`, signal);
    return (found as Settings)[index]?.settings.index.uuid;
  };

  /** Notes up to where the index is filled, or that this replica fills it. */
  const writeState = async (position: number | undefined, signal: AbortSignal) => {
    const state = position === undefined ? { by: self, until: Date.now() + fillerLimitMs } : { position };
    const body = { ...state, languages: [...languages] };
    await cluster({ method: 'PUT', path: `/${alias}/_doc/${uuid}`, querystring, body }, signal);
  };

  const frequencies: SearchEngine['frequencies'] = async (terms, signal) => {
    const body = { doc: { whole: terms.join(' ') }, fields: ['whole'], term_statistics: true };
    const { term_vectors } = await post('termvectors', body, signal);
    const { field_statistics, terms: known = {} } = term_vectors.whole ?? {};
    return { texts: field_statistics?.doc_count ?? 0, of: (term) => known[term]?.doc_freq ?? 0 };
  };

  const candidatesOf = ({ hits }: ClusterResponse): Candidate[] =>
    hits.hits.map(({ _id: key, _score, _source: { sequence } }) => {
      return { key, score: _score * scale, places: (terms) => termPlaces(sequence.split(' '), terms) };
    });

  return {
    isImmediate: false,
    size: { index },
    compounds,
    languages,

    async open(isOtherLog, signal) {
      const path = `/${index}`;
      if (isOtherLog) await cluster({ method: 'DELETE', path }, signal, mayMiss);
      const body = { ...indexDefinition, aliases: { [alias]: {} } };
      // It may be there.
      await cluster({ method: 'PUT', path, body }, signal, { ...writing, ignore: [400] });
      uuid = await readUuid(signal);
      const { version } = await get('/', signal);
      // Until version 3 the engine multiplies every score by k1 + 1.
      scale = Number.parseInt(version.number, 10) < 3 ? 1 / 2.2 : 1;
      const { _source = {} } = await get(`${path}/_doc/${uuid}`, signal);
      const { position = 0, by = self, until = 0 } = _source;
      languages.clear();
      for (const language of _source.languages ?? []) languages.add(language);
      if (position > 0) return position;
      if (by !== self && until > Date.now()) return undefined;
      await writeState(undefined, signal);
      return 0;
    },

    async write(texts, gone, position, signal) {
      // A document without words is never found, and its version refuses writes that are late.
      const documents = [...texts.map((text) => documentOf(text, compounds)), ...gone.map((key) => ({ key }))];
      if (documents.length === 0) return;
      const version = { version: position, version_type: 'external_gte' };
      const bulkBody = documents.flatMap((each) => [{ index: { _id: each.key, ...version } }, each]);
      const request = { method: 'POST', path: `/${alias}/_bulk`, querystring, bulkBody };
      const { items } = await cluster(request, signal, writing);
      // With 409 another replica has written a later version.
      const failed = items.find(({ index: { status } }) => status >= 300 && status !== 409);
      if (failed !== undefined) throw outage(failed.index.error);
      for (const { language } of texts) languages.add(primaryLanguage(language));
    },

    async keep(position, signal) {
      if ((await readUuid(signal)) !== uuid) return false;
      await writeState(position, signal);
      return true;
    },

    frequencies,

    async closest(words, signal) {
      const near = { field: 'whole', analyzer: 'whitespace', suggest_mode: 'always', size: 20 };
      const term = { ...near, max_edits: 2, prefix_length: 1, string_distance: 'damerau_levenshtein' };
      const formsOf = (word: string) => [...spelledForms(word, languages)].join(' ');
      const suggest = Object.fromEntries(words.map((word, at) => [at, { text: formsOf(word), term }]));
      const [found, beginnings] = await Promise.all([
        post('search', { size: 0, suggest }, signal),
        frequencies(words.flatMap(beginningsOf), signal),
      ]);
      return words.map((word, at) => {
        const options = found.suggest[at]?.flatMap((each) => each.options) ?? [];
        const known = new Map(options.map(({ text, freq }) => [text, freq]));
        const frequency = (each: string) => known.get(each) ?? beginnings.of(each);
        return closestTerms(word, languages, { near: () => known.keys(), frequency });
      });
    },

    async find({ words, filter, otherSites, later: [from, to] }, signal) {
      if (words.every(({ ways }) => ways.length === 0)) return { texts: [], total: 0, facets: [], elsewhere: [] };
      const search = (site: SearchFilter['site'], size: number, more: object = {}) => {
        const query = scoringQuery(words, { ...filter, site });
        const sort = ['_score', { key: 'asc' }];
        return post('search', { query, sort, _source: ['sequence'], size, ...more }, signal);
      };
      // Texts of unknown language have an empty one.
      const terms = (field: string) => ({ terms: { field, size: maxValues, exclude: [''] } });
      const aggs = { language: terms('language'), tag: terms('tags'), kind: terms('kind') };
      const [best, later, elsewhere] = await Promise.all([
        search(filter.site, readInOrder, { track_total_hits: true, aggs }),
        search(filter.site, to - from, { from }),
        Promise.all(otherSites.map(async (site) => ({ site, texts: candidatesOf(await search(site, readInOrder)) }))),
      ]);
      return {
        texts: [best, later].flatMap(candidatesOf),
        total: best.hits.total.value,
        facets: Object.keys(aggs).map((field) => {
          const values = best.aggregations[field]?.buckets ?? [];
          return { field, values: values.map(({ key: value, doc_count: count }) => ({ value, count })) };
        }),
        elsewhere,
      };
    },
  };
}

/** Deletes the index. Every replica notices it soon, and one of them fills it again. */
export async function deleteIndex(options: ClusterOptions) {
  const path = `/${options.index}-${indexForm}`;
  await connectCluster(options)({ method: 'DELETE', path }, AbortSignal.timeout(writing.requestTimeout), mayMiss);
}

type Settings = Record<string, { settings: { index: { uuid: string } } } | undefined>;
