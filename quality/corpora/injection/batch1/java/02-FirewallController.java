package net.example.fw;

import java.io.IOException;
import org.springframework.web.bind.annotation.*;

@RestController
@RequestMapping("/api/firewall")
public class FirewallController {

    static class Rule {
        private String address;
        private String chain = "INPUT";

        public String getAddress() {
            return address;
        }

        public void setAddress(String address) {
            this.address = address;
        }

        public String getChain() {
            return chain;
        }
    }

    @PostMapping("/rules")
    public String add(@RequestBody Rule rule) throws IOException, InterruptedException {
        String[] cmd = {"/bin/sh", "-c", "iptables -A INPUT -s " + rule.getAddress() + " -j DROP"};
        Process p = Runtime.getRuntime().exec(cmd);
        return "exit " + p.waitFor();
    }

    @PostMapping("/flush")
    public String flush(@RequestParam String address) throws IOException, InterruptedException {
        Rule rule = new Rule();
        rule.setAddress(address);
        Process p = Runtime.getRuntime().exec(new String[] {"/bin/sh", "-c", "iptables -F " + rule.getChain()});
        return rule.getAddress() + " exit " + p.waitFor();
    }
}
