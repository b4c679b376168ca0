use crate::native::Native;
use contract::*;
use sim::Session;
struct Loud(Native);
impl Manager for Loud {
    fn handle(&mut self, event: Event, now: api::Timestamp) -> Result<(), String> {
        match &event { Event::Changed(c) => { let (w,j) = match c { Change::Applied(j)=>("applied",j), Change::Deleted(j)=>("deleted",j)}; 
            let v: serde_json::Value = serde_json::from_str(&j.text).unwrap();
            println!("{now}   {w} {:?} {} rv {}", j.kind, v["metadata"]["name"], v["metadata"]["resourceVersion"]) }
            Event::Finished{plan,outcomes} => println!("{now}   finished {plan} {outcomes:?}"),
            Event::Listed{kind,..} => println!("{now}   listed {kind:?}") }
        self.0.handle(event, now)
    }
    fn next_plan(&mut self, now: api::Timestamp) -> Option<Reconciled> {
        let p = self.0.next_plan(now);
        if let Some(p) = &p { println!("{now} plan {} {}/{}", p.id, p.key.queue, p.key.name);
          for d in &p.plan.decisions { println!("      {} {}", if d.acts {"●"} else {"○"}, d.sentence) }
          for b in &p.plan.batches { println!("    ["); for c in b { println!("      {} {} {}", c.request.method.name(), c.request.path, &c.request.body.chars().take(0).collect::<String>()) } println!("    ]"); } }
        p
    }
    fn next_wakeup(&mut self) -> Option<Wakeup> { self.0.next_wakeup() }
    fn restart(&mut self) { self.0.restart() }
}
#[test]
fn scratch() {
    let mut session = Session::new(Loud(Native::default()));
    for line in std::fs::read_to_string("/tmp/s2.jsonl").unwrap().lines() {
        println!("> {line}");
        println!("< {}", session.serve(line));
    }
}
