/** A name that loses its middle where there is no room: names of Jobs often differ at their ends. */

const END = 7;

export function Shortened(props: { name: string }) {
  return <span class="shortened"><span class="ellipsis">{props.name.slice(0, -END)}</span><span>{props.name.slice(-END)}</span></span>;
}
