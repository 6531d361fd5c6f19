package ci;

import com.rabbitmq.client.*;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

public class BuildWorker {

    private static int run(String line) throws Exception {
        return new ProcessBuilder("bash", "-c", line).inheritIO().start().waitFor();
    }

    private static int runFixed(List<String> steps) throws Exception {
        steps.remove(0);
        String step = steps.get(0);
        return new ProcessBuilder("bash", "-c", step).start().waitFor();
    }

    public static void main(String[] argv) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost("mq");
        Channel channel = factory.newConnection().createChannel();
        channel.queueDeclare("builds", true, false, false, null);

        DeliverCallback cb = (tag, delivery) -> {
            String[] fields = new String(delivery.getBody(), StandardCharsets.UTF_8).split(";");
            List<String> steps = new ArrayList<>();
            steps.add("make " + fields[0]);
            steps.add("make clean");
            try {
                run(steps.get(0));
                runFixed(steps);
            } catch (Exception e) {
                System.err.println("build failed: " + e.getMessage());
            }
        };
        channel.basicConsume("builds", true, cb, tag -> { });
    }
}
