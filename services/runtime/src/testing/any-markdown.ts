import fc from 'fast-check';

/** Texts made of the pieces that readers of Markdown look for, in any order. */
export const anyMarkdown: fc.Arbitrary<string> = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        ...'[ ] ( ) ![ ]( * ** _ ~~ ` `` ``` > - + 1. # ## | |- --- === & &amp; &#8203; &rlm; < > <br> http://a.b " \' \\ : [^a] [^a]: [a]: [!NOTE] a 字 א ** word'.split(
          ' ',
        ),
        ' ',
        '  ',
        '    ',
        '\n',
        '\n\n',
        '\t',
      ),
      fc.integer({ min: 1, max: 6 }),
    ),
    { maxLength: 60, size: 'max' },
  )
  .map((pieces) => pieces.map(([piece, times]) => piece.repeat(times)).join(''));
