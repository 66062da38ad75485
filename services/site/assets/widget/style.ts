// The look of the widget. Nothing of the host's styles reaches in but its font, its direction, its
// color-scheme and the custom properties named --litfass-….
export const style = new CSSStyleSheet();

style.replaceSync(`
:host{display:block}
:host([hidden]){display:none}
:host([theme=light]){color-scheme:light}
:host([theme=dark]){color-scheme:dark}
:host([theme=auto]){color-scheme:light dark}
*{box-sizing:border-box}
.root{all:initial;color-scheme:inherit;display:flex;flex-direction:column;gap:12px;container-type:inline-size;
box-sizing:border-box;padding:var(--litfass-padding,16px);overflow-wrap:anywhere;
font-family:var(--litfass-font,inherit);font-size:var(--litfass-size,16px);line-height:1.4;
color:var(--litfass-text,light-dark(#1d1b16,#f1ece0));background:var(--litfass-background,light-dark(#fffdf7,#1d2327));
border:var(--litfass-border,1px solid light-dark(#d9d0ba,#3a4247));border-radius:var(--litfass-radius,4px);
--soft:var(--litfass-soft,light-dark(#5a5446,#b9b3a4));--line:var(--litfass-line,light-dark(#d9d0ba,#3a4247));
--accent:var(--litfass-accent,light-dark(#b3261e,#ff8a75))}
.fixed{block-size:calc(var(--rows)*var(--litfass-row,72px) + 120px)}
.fixed .body{overflow:auto;flex:1}
h2,h3,p,ol,table{margin:0;padding:0;font:inherit}
ol{list-style:none}
h2{font-size:1.25em;font-weight:700}
header,footer,nav{display:flex;flex-wrap:wrap;gap:4px 16px;align-items:center;justify-content:space-between}
nav{justify-content:start;gap:8px}
a{color:inherit;display:inline-block;min-block-size:24px}
a:hover{color:var(--accent)}
a:focus-visible,button:focus-visible,.body:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
button{font:inherit;color:inherit;background:none;border:1px solid var(--line);border-radius:4px;
min-inline-size:32px;min-block-size:32px;cursor:pointer}
li{padding-block:10px;border-block-start:1px solid var(--line)}
.leafed{display:grid;grid-template-columns:52px 1fr;gap:12px}
.leaf{display:grid;align-content:center;text-align:center;line-height:1.15;block-size:52px;color:var(--accent);
border:1px solid var(--line);border-block-start:4px solid var(--accent)}
.leaf b{font-size:1.25em;font-weight:700}
.runs{display:flex;gap:16px;overflow:auto}
.runs li{flex:none;max-inline-size:75%;border:0}
.small,.leaf,time,footer{font-size:.875em}
li a{font-weight:600;text-decoration-thickness:1px;text-underline-offset:3px}
.soft,time{color:var(--soft)}
s{text-decoration:line-through}
strong{color:var(--accent);font-weight:700}
h3{font-weight:700;padding-block:12px 4px}
.today h3,.today>a{color:var(--accent)}
table{inline-size:100%;table-layout:fixed;border-collapse:collapse}
caption{position:absolute;inline-size:1px;block-size:1px;overflow:hidden;clip-path:inset(50%)}
th{font-weight:400;color:var(--soft);font-size:.875em;padding:4px 0}
td{border:1px solid var(--line);vertical-align:top;padding:2px;block-size:44px;text-align:center}
td a,td li a{text-decoration:none}
td>a{display:block}
td a:hover{text-decoration:underline}
td li{border:0;padding:2px 0;font-size:.75em;text-align:start}
td li a{overflow:hidden;max-block-size:4.2em;vertical-align:top}
td ol{display:none}
.count{display:block;inline-size:1.5em;margin-inline:auto;font-size:.75em;line-height:1.5;border-radius:1em;
color:light-dark(#fff,#2b0d08);background:var(--accent)}
@container (min-width:44em){
td{text-align:start;block-size:88px;padding:4px}
td ol{display:block}
.count{display:none}
.week{display:grid;grid-template-columns:repeat(7,1fr);gap:8px}
}
`);
