using System;
using System.Threading.Tasks;
using Grpc.Core;
using Lighthouse.Grpc;
using Npgsql;

namespace Lighthouse.Services;

public class LighthouseService : Lights.LightsBase
{
    private readonly NpgsqlDataSource _source;

    public LighthouseService(NpgsqlDataSource source) => _source = source;

    public override async Task<LightReply> Find(LightRequest request, ServerCallContext context)
    {
        await using var command = _source.CreateCommand("SELECT characteristic FROM lights WHERE name = $1 AND active");
        command.Parameters.Add(new NpgsqlParameter { Value = request.Name });
        var value = await command.ExecuteScalarAsync(context.CancellationToken);
        return new LightReply { Characteristic = value as string ?? "" };
    }

    public override async Task<LightReply> Keeper(KeeperRequest request, ServerCallContext context)
    {
        var surname = request.Surname.Replace("'", "\\'");
        var sql = $"SELECT light FROM keepers WHERE surname = '{surname}' LIMIT 1";
        await using var command = _source.CreateCommand(sql);
        var value = await command.ExecuteScalarAsync(context.CancellationToken);
        return new LightReply { Characteristic = value as string ?? "" };
    }

    public override async Task<LightReply> Attribute(AttributeRequest request, ServerCallContext context)
    {
        var sql = "SELECT extra #>> '{" + string.Join(",", request.Path) + "}' FROM lights WHERE id = @id";
        await using var connection = await _source.OpenConnectionAsync(context.CancellationToken);
        await using var command = new NpgsqlCommand(sql, connection);
        command.Parameters.AddWithValue("id", request.Id);
        var value = await command.ExecuteScalarAsync(context.CancellationToken);
        return new LightReply { Characteristic = value?.ToString() ?? "" };
    }

    public override async Task<PurgeReply> Purge(PurgeRequest request, ServerCallContext context)
    {
        if (!DateOnly.TryParseExact(request.Month, "yyyy-MM-dd", out var month))
        {
            throw new RpcException(new Status(StatusCode.InvalidArgument, "month"));
        }
        var partition = $"logbook_{month:yyyy_MM}";
        await using var command = _source.CreateCommand($"TRUNCATE TABLE {partition}");
        await command.ExecuteNonQueryAsync(context.CancellationToken);
        return new PurgeReply { Partition = partition };
    }

    public override async Task<PurgeReply> Rename(RenameRequest request, ServerCallContext context)
    {
        if (request.Role.Length > 60 || request.Role.Contains('\0'))
        {
            throw new RpcException(new Status(StatusCode.InvalidArgument, "role"));
        }
        var quoted = "\"" + request.Role.Replace("\"", "\"\"") + "\"";
        await using var command = _source.CreateCommand("CREATE ROLE " + quoted + " NOLOGIN");
        await command.ExecuteNonQueryAsync(context.CancellationToken);
        return new PurgeReply { Partition = request.Role };
    }
}
