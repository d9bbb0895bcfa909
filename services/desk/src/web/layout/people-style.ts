/** The styles of the forms of support: each field below its label. */
export const peopleStyle = `.fields label { display: block; }
.fields input:not([type="checkbox"]), .fields select { width: min(100%, 32rem); min-height: 2.75rem; }
`;
