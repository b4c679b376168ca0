//! The core without a boundary: the controllers as a `contract::Manager` in this process.
//!
//! Docs: `controllers::ControllerManager`. The same behind the component's boundary is `host_embed::Guest`.

use api::{Text, Timestamp};
use contract::metrics::Family;
use contract::{ApiResource, Event, Explanation, Malformed, Manager, ObjectRef, Plan, Wakeup};
use controllers::{Config, ControllerManager, InitialMemory};

/// The controllers in this process.
pub struct Native {
    config: Config,
    core: ControllerManager,
}

impl Native {
    pub fn new(config: Config) -> Self {
        Self { core: ControllerManager::new(&config), config }
    }

    /// All that was counted, and how long the queues are.
    pub fn metrics(&self, now: Timestamp) -> Vec<Family> {
        self.core.metrics(now)
    }
}

impl Default for Native {
    fn default() -> Self {
        Self::new(Config::default())
    }
}

impl Manager for Native {
    fn resources(&mut self) -> Vec<ApiResource> {
        self.core.resources()
    }

    fn handle(&mut self, event: Event, now: Timestamp) -> Result<(), Malformed> {
        self.core.handle(event, now)
    }

    fn next_plan(&mut self, now: Timestamp) -> Option<Plan> {
        self.core.next_plan(now)
    }

    fn next_wakeup(&mut self) -> Option<Wakeup> {
        self.core.next_wakeup()
    }

    fn explain(&mut self, object: &ObjectRef, warnings: &[Text], now: Timestamp) -> Result<Explanation, String> {
        self.core.explain(object, warnings, now)
    }

    fn restart(&mut self) {
        self.core = ControllerManager::new(&self.config);
    }

    fn take_over(&mut self) {
        self.core = ControllerManager::new(&Config { memory: InitialMemory::Rebuilt, ..self.config.clone() });
    }
}
