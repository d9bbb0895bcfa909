import type { HighlightView } from '../../article/present-article.js';
import type { Column } from '../../print/table.js';

export const highlightColumns: readonly Column<HighlightView>[] = [
  { header: '#', value: (each) => each.position, alignRight: true },
  { header: 'title', value: (each) => each.title, flexible: true },
  { header: 'note', value: (each) => each.editor_note, flexible: true },
  { header: 'slug', value: (each) => each.slug, neverCut: true },
];
