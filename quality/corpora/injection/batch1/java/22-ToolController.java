package ops.tools;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.server.ResponseStatusException;

@RestController
@RequestMapping("/tools")
public class ToolController {

    private static final Map<String, String> TOOLS = Map.of("disk", "df -h", "mem", "free -m", "load", "uptime");
    private static final List<String> SERVICES = List.of("nginx", "postgresql", "redis");

    @GetMapping("/{key}")
    public int tool(@PathVariable String key) throws IOException, InterruptedException {
        String line = TOOLS.get(key);
        if (line == null) {
            throw new ResponseStatusException(HttpStatus.NOT_FOUND);
        }
        return new ProcessBuilder("sh", "-c", line).start().waitFor();
    }

    @PostMapping("/restart")
    public int restart(@RequestParam String service) throws IOException, InterruptedException {
        if (!SERVICES.contains(service)) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST);
        }
        return new ProcessBuilder("sh", "-c", "systemctl restart " + service).start().waitFor();
    }

    @PostMapping("/run/{key}")
    public int custom(@PathVariable String key) throws IOException, InterruptedException {
        String line = TOOLS.getOrDefault(key, key);
        return new ProcessBuilder("sh", "-c", line).start().waitFor();
    }
}
