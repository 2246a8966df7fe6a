use std::io::{Read,Write};
fn main(){ let a:Vec<String>=std::env::args().collect(); let d=&a[1];
let r=|n:&str| std::fs::read(format!("{d}/{n}")).unwrap();
let m=ml::MiniLm::new(r("model.safetensors"),&r("tokenizer.json"),&r("config.json")).unwrap();
let mut s=String::new(); std::io::stdin().read_to_string(&mut s).unwrap();
let lines:Vec<&str>=s.lines().collect(); let t=std::time::Instant::now();
let mut o=std::io::stdout();
for c in lines.chunks(1024){ for v in m.vectors(c).unwrap(){ for x in v{ o.write_all(&x.to_le_bytes()).unwrap(); } } }
eprintln!("{} in {:?}",lines.len(),t.elapsed());
}
