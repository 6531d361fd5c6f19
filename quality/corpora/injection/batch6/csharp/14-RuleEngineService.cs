using System;
using System.IO;
using System.Threading.Tasks;
using Grpc.Core;
using Microsoft.CodeAnalysis.CSharp.Scripting;
using Microsoft.CodeAnalysis.Scripting;
using MySqlConnector;
using Rules.V1;

namespace Rules.Server
{
    public class RuleGlobals
    {
        public decimal Amount { get; set; }
        public string Country { get; set; }
    }

    public class RuleEngineService : RuleEngine.RuleEngineBase
    {
        private const string Store = "/srv/rules";
        private const string Default = "Amount > 1000m && Country != \"NL\"";

        private readonly MySqlDataSource _db;

        public RuleEngineService(MySqlDataSource db)
        {
            _db = db;
        }

        public override async Task<RuleReply> Test(TestRequest request, ServerCallContext context)
        {
            var globals = new RuleGlobals { Amount = request.Amount, Country = request.Country };
            try
            {
                var ok = await CSharpScript.EvaluateAsync<bool>(request.Expression, ScriptOptions.Default, globals);
                return new RuleReply { Matches = ok };
            }
            catch (CompilationErrorException e)
            {
                throw new RpcException(new Status(StatusCode.InvalidArgument, e.Message));
            }
        }

        public override async Task<RuleReply> Check(CheckRequest request, ServerCallContext context)
        {
            var globals = new RuleGlobals { Amount = request.Amount, Country = request.Country };
            var ok = await CSharpScript.EvaluateAsync<bool>(Default, globals: globals);
            return new RuleReply { Matches = ok };
        }

        public override async Task<SourceReply> Source(SourceRequest request, ServerCallContext context)
        {
            var path = Path.Combine(Store, request.Name.Replace("..", ".") + ".rule");
            if (Path.HasExtension(request.Name))
            {
                throw new RpcException(new Status(StatusCode.InvalidArgument, "name"));
            }
            return new SourceReply { Text = await File.ReadAllTextAsync(path) };
        }

        public override async Task<SourceReply> Version(VersionRequest request, ServerCallContext context)
        {
            long version = request.Version;
            var path = Path.Combine(Store, "v" + version, "main.rule");
            return new SourceReply { Text = await File.ReadAllTextAsync(path) };
        }

        public override async Task<CountReply> Count(CountRequest request, ServerCallContext context)
        {
            string kind = request.Kind;
            await using var con = await _db.OpenConnectionAsync();
            await using var cmd = con.CreateCommand();
            cmd.CommandText = "SELECT count(*) FROM rules WHERE tenant = \"" + MySqlHelper.EscapeString(request.Tenant) + "\" AND kind = " + kind;
            return new CountReply { Value = Convert.ToInt64(await cmd.ExecuteScalarAsync()) };
        }

        public override async Task<CountReply> Save(SaveRequest request, ServerCallContext context)
        {
            await using var con = await _db.OpenConnectionAsync();
            await using var cmd = new MySqlCommand("INSERT INTO rules (tenant, body) VALUES (@tenant, @body)", con);
            cmd.Parameters.AddWithValue("@tenant", request.Tenant);
            cmd.Parameters.AddWithValue("@body", request.Body);
            return new CountReply { Value = await cmd.ExecuteNonQueryAsync() };
        }
    }
}
