package org.example.buoy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;

public final class BuoyServer {

    @FunctionalInterface
    interface Action {
        List<String> apply(String argument) throws IOException;
    }

    private final Path data = Path.of("/srv/buoys");
    private final Map<String, Action> actions = Map.of(
        "SPECTRUM", this::spectrum,
        "SERIES", this::series,
        "LATEST", this::latest,
        "MARK", this::mark);

    private List<String> spectrum(String argument) throws IOException {
        return Files.readAllLines(data.resolve("spectra").resolve(argument + ".spec"));
    }

    private List<String> series(String argument) throws IOException {
        Path base = data.resolve("series").toRealPath();
        Path real = base.resolve(argument).toRealPath();
        if (!real.startsWith(base)) {
            throw new IOException("outside");
        }
        return Files.readAllLines(real);
    }

    private List<String> latest(String argument) throws IOException {
        try (Stream<Path> files = Files.list(data.resolve("latest"))) {
            List<Path> wanted = files
                .filter(p -> p.getFileName().toString().equals(argument))
                .collect(Collectors.toList());
            return wanted.isEmpty() ? List.of("NONE") : Files.readAllLines(wanted.get(0));
        }
    }

    private List<String> mark(String argument) throws IOException {
        String[] words = argument.split(" ", 2);
        String name = words[0].replaceFirst("\\.\\./", "");
        Path file = data.resolve("marks/" + name);
        String text = words.length > 1 ? words[1] : "";
        Files.writeString(file, text + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        return List.of("OK");
    }

    private void serve(Socket socket) {
        try (socket;
             BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream()));
             PrintWriter out = new PrintWriter(socket.getOutputStream(), true)) {
            String line;
            while ((line = in.readLine()) != null) {
                int space = line.indexOf(' ');
                Action action = space < 0 ? null : actions.get(line.substring(0, space));
                if (action == null) {
                    out.println("ERR");
                    continue;
                }
                action.apply(line.substring(space + 1)).forEach(out::println);
            }
        } catch (IOException e) {
            System.err.println("connection: " + e.getMessage());
        }
    }

    public static void main(String[] args) throws IOException {
        BuoyServer server = new BuoyServer();
        ExecutorService workers = Executors.newFixedThreadPool(16);
        try (ServerSocket listener = new ServerSocket(6021)) {
            while (true) {
                Socket socket = listener.accept();
                workers.submit(() -> server.serve(socket));
            }
        }
    }
}
