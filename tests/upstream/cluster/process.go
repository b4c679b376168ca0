package cluster

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// process is one program of the cluster, which may be stopped and started again with the same arguments.
type process struct {
	path   string
	args   []string
	log    string
	cmd    *exec.Cmd
	exited chan struct{}
}

func (p *process) start() error {
	log, err := os.OpenFile(p.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer log.Close()
	p.cmd = exec.Command(p.path, p.args...)
	p.cmd.Stdout, p.cmd.Stderr = log, log
	// A signal from the terminal is for the program that started the cluster, and its children go with it.
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := p.cmd.Start(); err != nil {
		return fmt.Errorf("%s does not start: %w", p.path, err)
	}
	p.exited = make(chan struct{})
	go func(cmd *exec.Cmd, exited chan struct{}) {
		cmd.Wait()
		close(exited)
	}(p.cmd, p.exited)
	return nil
}

// stop ends the program, by force if it has not ended by itself after a grace period; with none, at once.
func (p *process) stop(grace time.Duration) {
	if !p.running() {
		return
	}
	if grace > 0 {
		p.cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-p.exited:
			return
		case <-time.After(grace):
		}
	}
	p.cmd.Process.Kill()
	<-p.exited
}

func (p *process) running() bool {
	if p.exited == nil {
		return false
	}
	select {
	case <-p.exited:
		return false
	default:
		return true
	}
}
