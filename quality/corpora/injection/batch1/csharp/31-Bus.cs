using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Text.Json;
using System.Threading;
using Confluent.Kafka;

namespace Bus;

public record Event(string Kind, string Arg);

public class Shell
{
    public void Run(string line)
    {
        Process.Start("/bin/bash", "-c \"" + line + "\"");
    }

    public void Sync()
    {
        Process.Start("/bin/bash", "-c sync");
    }
}

public class Dispatcher
{
    private readonly Dictionary<string, Action<Event>> _handlers = new();

    public Dispatcher(Shell shell)
    {
        _handlers["index"] = e => shell.Run("find /srv -name " + e.Arg);
        _handlers["sync"] = _ => shell.Sync();
    }

    public void Dispatch(Event e)
    {
        if (_handlers.TryGetValue(e.Kind, out var h))
            h(e);
    }
}

public static class Program
{
    public static void Main()
    {
        var dispatcher = new Dispatcher(new Shell());
        var config = new ConsumerConfig { BootstrapServers = "kafka:9092", GroupId = "bus" };
        using var consumer = new ConsumerBuilder<Ignore, string>(config).Build();
        consumer.Subscribe("events");
        while (true)
        {
            var result = consumer.Consume(CancellationToken.None);
            dispatcher.Dispatch(JsonSerializer.Deserialize<Event>(result.Message.Value)!);
        }
    }
}
