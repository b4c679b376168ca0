package dev.jobsmith.plugins;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The quick start of the README: it is short, and does what it says. */
class QuickStartTest {
    private static final Path README = Path.of("../../../host/bindings/java/README.md");

    @Test
    void theQuickStartRuns(@TempDir Path folder) throws IOException, InterruptedException {
        Matcher block =
                Pattern.compile("## Quick start.*?```java\n(.*?)```", Pattern.DOTALL)
                        .matcher(Files.readString(README));
        assertTrue(block.find(), "the README has a quick start");
        String program = block.group(1);
        assertTrue(program.lines().count() <= 20, "it has at most 20 lines");

        Path file = Files.writeString(folder.resolve("QuickStart.java"), program);
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classPath = Files.readString(Path.of("target/classpath"));
        Process process =
                new ProcessBuilder(java, "-cp", classPath, file.toString())
                        .redirectErrorStream(true)
                        .start();
        byte[] output = process.getInputStream().readAllBytes();
        String printed = new String(output, StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), printed);
        List<String> posts = printed.lines().filter(line -> line.startsWith("POST")).toList();
        String creation = "POST /api/v1/namespaces/default/pods";
        assertEquals(List.of(creation, creation), posts, printed);
    }
}
